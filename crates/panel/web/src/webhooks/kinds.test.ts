import { expect, test } from 'vitest';
import { headersOf, linesOf } from './draft';
import { grouped, shareOf, toggled } from './kinds';

const CATALOGUE = ['message.received', 'message.sent', 'contact.created', 'contact.deleted'];

test('groups event types by subject', () => {
  expect(grouped(CATALOGUE.map((type) => ({ type }))).map((it) => [it.subject, it.kinds.length])).toEqual([
    ['message', 2],
    ['contact', 2],
  ]);
});

test('keeps the order of the catalogue, and unknown event types', () => {
  expect(toggled(['contact.created'], ['message.sent'], true, CATALOGUE)).toEqual([
    'message.sent',
    'contact.created',
  ]);
  expect(toggled(['old.kind', 'message.sent'], ['message.sent'], false, CATALOGUE)).toEqual(['old.kind']);
  expect(toggled(['*'], ['message.sent'], true, CATALOGUE)).toEqual(['message.sent']);
});

test('a subject is selected completely, partly or not', () => {
  const contact = ['contact.created', 'contact.deleted'];
  expect(shareOf(['*'], contact)).toBe('all');
  expect(shareOf(['contact.created'], contact)).toBe('some');
  expect(shareOf(['message.sent'], contact)).toBe('none');
});

test('does not send headers without a name', () => {
  expect(linesOf({ Authorization: '••••6789' })).toEqual([
    { id: 0, name: 'Authorization', value: '••••6789' },
  ]);
  expect(
    headersOf([
      { id: 0, name: ' X-Team ', value: 'a' },
      { id: 1, name: ' ', value: 'b' },
    ]),
  ).toEqual({ 'X-Team': 'a' });
});
