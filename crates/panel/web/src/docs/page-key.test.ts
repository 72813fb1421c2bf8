import { expect, test, vi } from 'vitest';
import { session } from '../app/session';
import { serve } from '../settings/testing';
import { pageKey, superfluous } from './page-key';

const NOW = Date.parse('2026-01-10T00:00:00Z');
const key = (id: string, day: number, ends: number | null, name = 'API docs, Ada') =>
  ({
    id,
    name,
    created_at: `2026-01-0${day}T00:00:00Z`,
    expires_at: ends && `2026-01-${ends}T00:00:00Z`,
  }) as never;

test('selects expired keys and all but the newest keys of the page to revoke', () => {
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

test('creates a key once for a sandbox, and again after the user signed out', async () => {
  const path = '/platform/workspaces/ws_box/api-keys';
  vi.spyOn(session, 'accessToken').mockResolvedValue('token');
  let count = 0;
  serve({
    [`GET ${path}`]: () => ({ data: [], next_cursor: null }),
    [`POST ${path}`]: () => {
      count += 1;
      return { key: `key ${count}` };
    },
  });
  expect([await pageKey('ws_box', 'Ada'), await pageKey('ws_box', 'Ada')]).toEqual(['key 1', 'key 1']);
  await session.signOut();
  expect(await pageKey('ws_box', 'Grace')).toBe('key 2');
});
