import { expect, test } from 'vitest';
import { choicesOf, isContactId, type Message, merge, sideOf, toneOf, wordsOf } from './messages';
import { message } from './testing';

test('merges messages to their newest versions, oldest first', () => {
  const hi = message({ id: 'msg_1', created_at: '2026-01-01T00:00:00.000Z', text: 'hi' });
  const queued = message({ id: 'msg_2', created_at: '2026-01-01T00:00:01.000Z', status: 'queued' });
  const sent: Message = { ...queued, status: 'sent', version: 3 };
  const merged = merge([sent, hi], [hi, queued]);
  expect(merged.map((it) => [it.id, it.status])).toEqual([
    ['msg_1', 'sent'],
    ['msg_2', 'sent'],
  ]);
});

test('keeps the order of messages with the same time', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const [b, a] = [message({ id: 'msg_b', created_at: at }), message({ id: 'msg_a', created_at: at })];
  expect(merge([b], [a]).map((it) => it.id)).toEqual(['msg_a', 'msg_b']);
});

test('distinguishes messages of the contact, messages of the workspace, and notes', () => {
  expect(sideOf(message({ direction: 'inbound' }))).toBe('contact');
  expect(sideOf(message({ direction: 'outbound' }))).toBe('service');
  expect(sideOf(message({ direction: 'outbound', private: true }))).toBe('note');
});

const file = (url: string, name: string | null) => ({ url, name, mime_type: null });

test('describes a message without a text by its content', () => {
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

test('offers quick replies of the last outbound message only, and ignores notes', () => {
  const asked = message({ id: 'msg_1', quick_replies: [{ title: 'Yes' }, { title: 'No' }] });
  const note = message({ id: 'msg_2', private: true });
  expect(choicesOf([asked, note])).toEqual(['Yes', 'No']);
  expect(choicesOf([asked, message({ id: 'msg_3', direction: 'inbound' })])).toEqual([]);
  expect(choicesOf([])).toEqual([]);
});

test('distinguishes messages that were not sent from waiting ones', () => {
  expect((['sent', 'queued', 'failed', 'suppressed'] as const).map(toneOf)).toEqual([
    'ok',
    'wait',
    'bad',
    'off',
  ]);
});

test('distinguishes contact IDs from external IDs', () => {
  expect(isContactId('contact_01m81znr17ergb0rs4jrscctfv')).toBe(true);
  expect(['ada', 'contact_ada', 'customer-17'].map(isContactId)).toEqual([false, false, false]);
});
