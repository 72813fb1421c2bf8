import { expect, test } from 'vitest';
import { isAbout, isEvent } from './use-told';

const hint = (type: string) => ({ event: 'changed', data: { changed: { type, id: 'x', version: 1 } } });

test('hints and events of a type are about it, and after `ready` everything is read anew', () => {
  expect(isAbout(hint('broadcast'), 'broadcast')).toBe(true);
  expect(isAbout(hint('import'), 'broadcast')).toBe(false);
  expect(isAbout({ event: 'broadcast.completed', data: {} }, 'broadcast')).toBe(true);
  expect(isAbout({ event: 'contact.created', data: {} }, 'broadcast')).toBe(false);
  expect(isAbout({ event: 'ready', data: {} }, 'broadcast')).toBe(true);
});

test('where a whole workspace changed everything is read anew', () => {
  const all = { event: 'changed', data: { changed: { type: 'workspace', id: null, version: null } } };
  expect(isAbout(all, 'broadcast')).toBe(true);
  expect(isEvent(all)).toBe(true);
  expect(isAbout(hint('workspace'), 'broadcast')).toBe(false);
});

test('hints are no events of the feed', () => {
  expect(isEvent(hint('tag'))).toBe(false);
  expect(isEvent({ event: 'contact.created', id: '1', data: {} })).toBe(true);
});
