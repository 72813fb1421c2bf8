import { expect, test } from 'vitest';
import { Changes } from './changes';

const row = (id: string, version: number, at: string) => ({
  id,
  version,
  updated_at: `2026-01-01T${at}.000Z`,
});

test('begins at the time of the server, and reports each version once', () => {
  const changes = new Changes();
  expect(changes.take([row('a', 3, '11:00:00')], 'Thu, 01 Jan 2026 12:00:00 GMT')).toEqual([]);
  expect(changes.since).toBe('2026-01-01T11:59:55.000Z');
  const first = row('a', 4, '12:00:02');
  expect(changes.take([first], null)).toEqual([first]);
  expect(changes.since).toBe('2026-01-01T11:59:57.000Z');
  expect(changes.take([first], null)).toEqual([]);
  const second = row('a', 5, '12:00:03');
  expect(changes.take([second, row('b', 1, '12:00:01')], null).map((it) => it.id)).toEqual(['a', 'b']);
});

test('continues from the same time without changes', () => {
  const changes = new Changes();
  changes.take([], 'Thu, 01 Jan 2026 12:00:00 GMT');
  expect(changes.take([], null)).toEqual([]);
  expect(changes.since).toBe('2026-01-01T11:59:55.000Z');
});
