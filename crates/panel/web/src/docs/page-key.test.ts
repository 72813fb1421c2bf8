import { expect, test } from 'vitest';
import { superfluous } from './page-key';

const NOW = Date.parse('2026-01-10T00:00:00Z');
const key = (id: string, day: number, ends: number | null, name = 'API docs, Ada') =>
  ({
    id,
    name,
    created_at: `2026-01-0${day}T00:00:00Z`,
    expires_at: ends && `2026-01-${ends}T00:00:00Z`,
  }) as never;

test('keys that have ended go, and all but the newest few; keys of others stay', () => {
  const keys = [
    key('oldest', 1, 20),
    key('ended', 9, 10),
    key('c', 2, 20),
    key('b', 3, 20),
    key('a', 4, 20),
    key('another', 5, 10, 'backend'),
  ];
  // The expired key counts among the newest three. The two oldest are not among them.
  expect(superfluous(keys, 'API docs, Ada', NOW).map((it) => it.id)).toEqual(['ended', 'c', 'oldest']);
});
