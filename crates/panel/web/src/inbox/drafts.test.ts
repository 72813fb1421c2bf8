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

test('retries the same text with the same key, and another text with a new key', () => {
  const drafts = new Drafts(storage());
  drafts.change('conv_1', { text: 'Hello ' });
  const first = drafts.keyFor('conv_1', messageOf(drafts.of('conv_1')));
  expect(drafts.keyFor('conv_1', messageOf(drafts.of('conv_1')))).toBe(first);
  drafts.change('conv_1', { text: 'Hello there' });
  expect(drafts.keyFor('conv_1', messageOf(drafts.of('conv_1')))).not.toBe(first);
});

test('clears a sent draft, and uses a new key for the same text', () => {
  const drafts = new Drafts(storage());
  drafts.change('conv_1', { text: 'Yes', quickReplies: ['A'] });
  const message = messageOf(drafts.of('conv_1'));
  const first = drafts.keyFor('conv_1', message);
  drafts.sent('conv_1', message);
  expect(drafts.of('conv_1')).toEqual(EMPTY);
  expect(drafts.keyFor('conv_1', message)).not.toBe(first);
});

test('keeps text that was written during the send', () => {
  const drafts = new Drafts(storage());
  drafts.change('conv_1', { text: 'Yes' });
  const message = messageOf(drafts.of('conv_1'));
  drafts.change('conv_1', { text: 'Yes, and' });
  drafts.sent('conv_1', message);
  expect(drafts.of('conv_1').text).toBe('Yes, and');
});

test('keeps the text and its key after a reload', () => {
  const kept = storage();
  const drafts = new Drafts(kept);
  drafts.change('conv_1', { text: 'Hello', as: 'note' });
  const key = drafts.keyFor('conv_1', messageOf(drafts.of('conv_1')));
  const later = new Drafts(kept);
  expect(later.of('conv_1')).toEqual({ ...EMPTY, as: 'note', text: 'Hello' });
  expect(later.keyFor('conv_1', messageOf(later.of('conv_1')))).toBe(key);
});

test('leaves out quick replies of notes, and empty ones', () => {
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

test('keeps uploaded files after a reload', () => {
  const kept = storage();
  new Drafts(kept).change('conv_1', { files: [cat, sending] });
  expect(new Drafts(kept).of('conv_1')).toEqual({ ...EMPTY, files: [cat] });
});

test('reads a draft that was stored without files', () => {
  const kept = storage();
  kept.setItem(
    'tidings-draft-conv_1',
    JSON.stringify({ draft: { as: 'reply', text: 'Hi', quickReplies: [] } }),
  );
  expect(new Drafts(kept).of('conv_1')).toEqual({ ...EMPTY, text: 'Hi' });
});

test('keeps unsent files: those of a reply after a note, and later ones', () => {
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

test('sends the selected template with a reply, but not with a note', () => {
  const template = { name: 'order_ready', language: 'de' };
  const draft = { ...EMPTY, text: 'Hi', fallback: template };
  expect(messageOf(draft)).toEqual({ type: 'text', text: 'Hi', fallback: { template } });
  expect(messageOf({ ...draft, fallback: { name: '' } })).toEqual({ type: 'text', text: 'Hi' });
  expect(messageOf({ ...draft, as: 'note' })).toEqual({ type: 'note', text: 'Hi' });
});

const replyTo = { id: 'm1', text: 'Green or black tea?' };

test('sends the quoted message with a reply, but not with a note', () => {
  const draft = { ...EMPTY, text: 'Black', replyTo };
  expect(messageOf(draft)).toEqual({ type: 'text', text: 'Black', reply_to: 'm1' });
  expect(messageOf({ ...draft, as: 'note' })).toEqual({ type: 'note', text: 'Black' });
});

test('clears the quote after a reply, and keeps it after a note or a later selection', () => {
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
