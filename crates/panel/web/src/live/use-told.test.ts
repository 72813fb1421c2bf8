import { expect, test } from 'vitest';
import { isAbout, isEvent } from './use-told';

const hint = (type: string) => ({ event: 'changed', data: { changed: { type, id: 'x', version: 1 } } });

test('hints and events refresh their type, and `ready` refreshes all', () => {
  expect(isAbout(hint('broadcast'), 'broadcast')).toBe(true);
  expect(isAbout(hint('import'), 'broadcast')).toBe(false);
  expect(isAbout({ event: 'broadcast.completed', data: {} }, 'broadcast')).toBe(true);
  expect(isAbout({ event: 'contact.created', data: {} }, 'broadcast')).toBe(false);
  expect(isAbout({ event: 'ready', data: {} }, 'broadcast')).toBe(true);
});

test('a change of the whole workspace refreshes all', () => {
  const all = { event: 'changed', data: { changed: { type: 'workspace', id: null, version: null } } };
  expect(isAbout(all, 'broadcast')).toBe(true);
  expect(isEvent(all)).toBe(true);
  expect(isAbout(hint('workspace'), 'broadcast')).toBe(false);
});

test('hints are not events of the feed', () => {
  expect(isEvent(hint('tag'))).toBe(false);
  expect(isEvent({ event: 'contact.created', id: '1', data: {} })).toBe(true);
});
