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
  expect(later.of('conv_1')).toEqual({ ...EMPTY, as: 'note', text: 'Hello' });
  expect(later.keyFor('conv_1', messageOf(later.of('conv_1')))).toBe(key);
});

test('a note has no quick replies, and empty ones are left out', () => {
  expect(messageOf({ ...EMPTY, as: 'note', text: ' x ', quickReplies: ['A'] })).toEqual({
    type: 'note',
    text: 'x',
  });
  expect(messageOf({ ...EMPTY, text: 'x', quickReplies: [' A ', ' '] })).toEqual({
    type: 'text',
    text: 'x',
    quick_replies: [{ title: 'A' }],
  });
});

const cat = {
  key: 'k1',
  name: 'cat.png',
  size: 3,
  uploaded: { media_id: 'media_1', mime_type: 'image/png' },
};
const bill = {
  key: 'k2',
  name: 'bill.pdf',
  size: 3,
  uploaded: { media_id: 'media_2', mime_type: 'application/pdf' },
};
const sending = { key: 'k3', name: 'dog.png', size: 3 };

test('the type of a message with files follows from their types, and its text is optional', () => {
  expect(messageOf({ ...EMPTY, files: [cat] })).toEqual({
    type: 'image',
    attachments: [{ media_id: 'media_1' }],
  });
  expect(messageOf({ ...EMPTY, text: 'Both', files: [cat, bill] })).toEqual({
    type: 'file',
    text: 'Both',
    attachments: [{ media_id: 'media_1' }, { media_id: 'media_2' }],
  });
  expect(messageOf({ ...EMPTY, as: 'note', text: 'x', files: [cat] })).toEqual({ type: 'note', text: 'x' });
});

test('after a reload the uploaded files are there', () => {
  const kept = storage();
  new Drafts(kept).change('conv_1', { files: [cat, sending] });
  expect(new Drafts(kept).of('conv_1')).toEqual({ ...EMPTY, files: [cat] });
});

test('a draft that was stored without files can be read', () => {
  const kept = storage();
  kept.setItem(
    'tidings-draft-conv_1',
    JSON.stringify({ draft: { as: 'reply', text: 'Hi', quickReplies: [] } }),
  );
  expect(new Drafts(kept).of('conv_1')).toEqual({ ...EMPTY, text: 'Hi' });
});

test('files that were not sent stay: those of a reply after a note, and later ones', () => {
  const drafts = new Drafts(storage());
  drafts.change('conv_1', { as: 'note', text: 'x', files: [cat] });
  drafts.sent('conv_1', messageOf(drafts.of('conv_1')));
  expect(drafts.of('conv_1')).toEqual({ ...EMPTY, as: 'note', files: [cat] });
  drafts.change('conv_1', { as: 'reply' });
  const message = messageOf(drafts.of('conv_1'));
  drafts.change('conv_1', { files: [cat, bill] });
  drafts.sent('conv_1', message);
  expect(drafts.of('conv_1').files).toEqual([bill]);
});

test('a reply has the template that was selected, and a note has none', () => {
  const template = { name: 'order_ready', language: 'de' };
  const draft = { ...EMPTY, text: 'Hi', fallback: template };
  expect(messageOf(draft)).toEqual({ type: 'text', text: 'Hi', fallback: { template } });
  expect(messageOf({ ...draft, fallback: { name: '' } })).toEqual({ type: 'text', text: 'Hi' });
  expect(messageOf({ ...draft, as: 'note' })).toEqual({ type: 'note', text: 'Hi' });
});

const replyTo = { id: 'm1', text: 'Green or black tea?' };

test('a reply names the message that it answers, and a note does not', () => {
  const draft = { ...EMPTY, text: 'Black', replyTo };
  expect(messageOf(draft)).toEqual({ type: 'text', text: 'Black', reply_to: 'm1' });
  expect(messageOf({ ...draft, as: 'note' })).toEqual({ type: 'note', text: 'Black' });
});

test('the answered message is cleared with the reply, and stays after a note and a later selection', () => {
  const kept = storage();
  const drafts = new Drafts(kept);
  drafts.change('conv_1', { as: 'note', text: 'x', replyTo });
  drafts.sent('conv_1', messageOf(drafts.of('conv_1')));
  expect(new Drafts(kept).of('conv_1')).toEqual({ ...EMPTY, as: 'note', replyTo });
  drafts.change('conv_1', { as: 'reply', text: 'Black' });
  const message = messageOf(drafts.of('conv_1'));
  const later = { id: 'm2', text: 'With milk?' };
  drafts.change('conv_1', { replyTo: later });
  drafts.sent('conv_1', message);
  expect(drafts.of('conv_1')).toEqual({ ...EMPTY, replyTo: later });
  drafts.change('conv_1', { text: 'Yes' });
  drafts.sent('conv_1', messageOf(drafts.of('conv_1')));
  expect(drafts.of('conv_1')).toEqual(EMPTY);
});
