import { expect, test } from 'vitest';
import { choicesOf, isContactId, type Message, merge, sideOf, toneOf, wordsOf } from './messages';
import { message } from './testing';

test('messages of pages and answers are each there once, newest version, oldest first', () => {
  const hi = message({ id: 'msg_1', created_at: '2026-01-01T00:00:00.000Z', text: 'hi' });
  const queued = message({ id: 'msg_2', created_at: '2026-01-01T00:00:01.000Z', status: 'queued' });
  const sent: Message = { ...queued, status: 'sent', version: 3 };
  const merged = merge([sent, hi], [hi, queued]);
  expect(merged.map((it) => [it.id, it.status])).toEqual([
    ['msg_1', 'sent'],
    ['msg_2', 'sent'],
  ]);
});

test('messages of one instant keep the order in which they were made', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const [b, a] = [message({ id: 'msg_b', created_at: at }), message({ id: 'msg_a', created_at: at })];
  expect(merge([b], [a]).map((it) => it.id)).toEqual(['msg_a', 'msg_b']);
});

test('the contact speaks, the service answers, a note is for colleagues', () => {
  expect(sideOf(message({ direction: 'inbound' }))).toBe('contact');
  expect(sideOf(message({ direction: 'outbound' }))).toBe('service');
  expect(sideOf(message({ direction: 'outbound', private: true }))).toBe('note');
});

const file = (url: string, name: string | null) => ({ url, name, mime_type: null });

test('a message without words says what it has instead', () => {
  expect(wordsOf(message({ text: null, template: { name: 'welcome' } }))).toBe('Template welcome');
  expect(wordsOf(message({ text: null, attachments: [file('https://x.example/a.png', null)] }))).toBe(
    '1 attachment',
  );
  const cat = file('https://x.example/a.png', 'cat.png');
  const files = (type: Message['type'], ...attachments: Message['attachments']) =>
    wordsOf(message({ text: null, type, attachments }));
  expect(files('image', cat)).toBe('[Image] cat.png');
  expect(files('location', file('geo:1,2', null))).toBe('[Location]');
  expect(files('file', cat, cat)).toBe('2 attachments');
  expect(wordsOf(message({ text: null }))).toBe('Message without text');
});

test('only the last word of the service offers answers, and notes do not take them away', () => {
  const asked = message({ id: 'msg_1', quick_replies: [{ title: 'Yes' }, { title: 'No' }] });
  const note = message({ id: 'msg_2', private: true });
  expect(choicesOf([asked, note])).toEqual(['Yes', 'No']);
  expect(choicesOf([asked, message({ id: 'msg_3', direction: 'inbound' })])).toEqual([]);
  expect(choicesOf([])).toEqual([]);
});

test('what was not sent is told apart from what waits', () => {
  expect((['sent', 'queued', 'failed', 'suppressed'] as const).map(toneOf)).toEqual([
    'ok',
    'wait',
    'bad',
    'off',
  ]);
});

test('an id of a contact is told apart from an external id', () => {
  expect(isContactId('contact_01m81znr17ergb0rs4jrscctfv')).toBe(true);
  expect(['ada', 'contact_ada', 'customer-17'].map(isContactId)).toEqual([false, false, false]);
});
