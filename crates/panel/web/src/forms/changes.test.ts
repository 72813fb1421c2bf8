import { expect, test } from 'vitest';
import { changesOf, differencesOf, inWords } from './changes';

const base = { url: 'https://a.example', events: ['*'], headers: {} as Record<string, string> };

test('only what changed is sent, lists and maps by what is in them', () => {
  expect(changesOf(base, { ...base, events: ['*'], headers: {} })).toEqual({});
  expect(changesOf(base, { ...base, events: ['contact.created'] })).toEqual({ events: ['contact.created'] });
});

test('what another changed stands beside what one changed oneself', () => {
  const theirs = { ...base, url: 'https://b.example', events: ['message.sent'] };
  const draft = { ...base, events: ['contact.created'] };
  expect(differencesOf(base, draft, theirs)).toEqual([
    { field: 'url', was: 'https://a.example', theirs: 'https://b.example' },
    { field: 'events', was: ['*'], theirs: ['message.sent'], mine: ['contact.created'] },
  ]);
});

test('a value is told in a line', () => {
  expect([null, '', ['a', 'b'], { a: 1 }, 3].map(inWords)).toEqual(['–', '–', 'a, b', '{"a":1}', '3']);
});
