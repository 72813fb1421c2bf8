import { expect, test } from 'vitest';
import { changesOf, differencesOf, inWords } from './changes';

const base = { url: 'https://a.example', events: ['*'], headers: {} as Record<string, string> };

test('sends only changed values, and compares lists and maps by their content', () => {
  expect(changesOf(base, { ...base, events: ['*'], headers: {} })).toEqual({});
  expect(changesOf(base, { ...base, events: ['contact.created'] })).toEqual({ events: ['contact.created'] });
});

test('shows changes of another user next to own changes', () => {
  const theirs = { ...base, url: 'https://b.example', events: ['message.sent'] };
  const draft = { ...base, events: ['contact.created'] };
  expect(differencesOf(base, draft, theirs)).toEqual([
    { field: 'url', was: 'https://a.example', theirs: 'https://b.example' },
    { field: 'events', was: ['*'], theirs: ['message.sent'], mine: ['contact.created'] },
  ]);
});

test('describes a value in one line', () => {
  expect([null, '', ['a', 'b'], { a: 1 }, 3].map(inWords)).toEqual(['–', '–', 'a, b', '{"a":1}', '3']);
});
