import { expect, test } from 'vitest';
import { Drafts, EMPTY, messageOf } from './drafts';

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
}

test('the same words are tried under the same key, others under another', () => {
  const drafts = new Drafts(storage());
  drafts.change('conv_1', { text: 'Hello ' });
  const first = drafts.keyFor('conv_1', messageOf(drafts.of('conv_1')));
  expect(drafts.keyFor('conv_1', messageOf(drafts.of('conv_1')))).toBe(first);
  drafts.change('conv_1', { text: 'Hello there' });
  expect(drafts.keyFor('conv_1', messageOf(drafts.of('conv_1')))).not.toBe(first);
});

test('what was sent goes, and a second message of the same words has a key of its own', () => {
  const drafts = new Drafts(storage());
  drafts.change('conv_1', { text: 'Yes', quickReplies: ['A'] });
  const message = messageOf(drafts.of('conv_1'));
  const first = drafts.keyFor('conv_1', message);
  drafts.sent('conv_1', message);
  expect(drafts.of('conv_1')).toEqual(EMPTY);
  expect(drafts.keyFor('conv_1', message)).not.toBe(first);
});

test('what was written while it was sent stays', () => {
  const drafts = new Drafts(storage());
  drafts.change('conv_1', { text: 'Yes' });
  const message = messageOf(drafts.of('conv_1'));
  drafts.change('conv_1', { text: 'Yes, and' });
  drafts.sent('conv_1', message);
  expect(drafts.of('conv_1').text).toBe('Yes, and');
});

test('after a reload the words and their key are there', () => {
  const kept = storage();
  const drafts = new Drafts(kept);
  drafts.change('conv_1', { text: 'Hello', as: 'note' });
  const key = drafts.keyFor('conv_1', messageOf(drafts.of('conv_1')));
  const later = new Drafts(kept);
  expect(later.of('conv_1')).toEqual({ as: 'note', text: 'Hello', quickReplies: [] });
  expect(later.keyFor('conv_1', messageOf(later.of('conv_1')))).toBe(key);
});

test('a note has no quick replies, and empty ones are left out', () => {
  expect(messageOf({ as: 'note', text: ' x ', quickReplies: ['A'] })).toEqual({ type: 'note', text: 'x' });
  expect(messageOf({ as: 'reply', text: 'x', quickReplies: [' A ', ' '] })).toEqual({
    type: 'text',
    text: 'x',
    quick_replies: [{ title: 'A' }],
  });
});
