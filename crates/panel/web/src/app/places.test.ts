import { expect, test } from 'vitest';
import { findings } from './findings';
import type { Where } from './here';
import { administers, find, places } from './places';
import type { Account } from './session';

const workspace = (id: string, name: string, live: string | null = null) => ({
  id,
  name,
  live_workspace_id: live,
});
const account = {
  memberships: [
    { workspace: workspace('ws_live', 'Acme'), role: 'admin' },
    { workspace: workspace('ws_test', 'Acme (sandbox)', 'ws_live'), role: 'admin' },
    { workspace: workspace('ws_other', 'Other'), role: 'viewer' },
  ],
} as unknown as Account;
const all = places(account);
const at = (id?: string) => find(all, id);

test('a sandbox belongs to its workspace', () => {
  expect(all.map((place) => [place.live.name, place.sandbox?.id])).toEqual([
    ['Acme', 'ws_test'],
    ['Other', undefined],
  ]);
});

test('selects the workspace of the address, then the last one, then the first one', () => {
  expect(find(all, 'ws_test', 'ws_other')).toMatchObject({ inSandbox: true, workspace: { id: 'ws_test' } });
  expect(find(all, 'ws_gone', 'ws_other')?.workspace.id).toBe('ws_other');
  expect(find(all, undefined, null)?.workspace.id).toBe('ws_live');
  expect(find([], 'ws_live')).toBeUndefined();
});

const deleted = (it: object) => ({ ...it, deleted_at: '2026-11-05T11:00:00.000Z' });
const withDeleted = (...ids: string[]) =>
  all.map((it) => (ids.includes(it.live.id) ? ({ ...it, live: deleted(it.live) } as typeof it) : it));

test('selects a deleted workspace only by its address, if another one exists', () => {
  const places = withDeleted('ws_live');
  expect(find(places, undefined, null)?.workspace.id).toBe('ws_other');
  expect(find(places, undefined, 'ws_live')?.workspace.id).toBe('ws_other');
  expect(find(places, undefined, 'ws_test')?.workspace.id).toBe('ws_other');
  expect(find(places, 'ws_live', 'ws_other')?.workspace.id).toBe('ws_live');
  expect(find(places, 'ws_test', 'ws_other')?.workspace.id).toBe('ws_test');
});

test('selects the last or the first workspace if all are deleted', () => {
  const places = withDeleted('ws_live', 'ws_other');
  expect(find(places, undefined, null)?.workspace.id).toBe('ws_live');
  expect(find(places, undefined, 'ws_other')?.workspace.id).toBe('ws_other');
});

test('the search marks deleted workspaces', () => {
  const found = findings('other', where('ws_live'), withDeleted('ws_other'));
  expect(found.map((it) => it.label)).toEqual(['Switch to Other (deleted)']);
});

test('owners and admins are administrators', () => {
  expect((['owner', 'admin', 'member', 'viewer'] as const).map(administers)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

const where = (id: string) => {
  const here = at(id);
  return { ...here, administers: administers(here?.role ?? 'viewer'), go: () => undefined } as Where;
};
const labels = (text: string, id = 'ws_live') => findings(text, where(id), all).map((it) => it.label);

test('the search finds permitted pages by any of their words', () => {
  expect(labels('log')).toContain('Usage log');
  expect(labels('KEY create')).toEqual(['Create key']);
  expect(labels('', 'ws_other')).not.toContain('API keys');
  expect(labels('other')).toEqual(['Switch to Other']);
});

test('an ID leads to its object', () => {
  const id = '01kawfz8q5e0qv0m3m1n2p3q4r';
  expect(findings(`req_${id}`, where('ws_live'), all)[0]).toMatchObject({
    to: '/developers/log',
    search: { request_id: `req_${id}` },
  });
  expect(findings(` contact_${id} `, where('ws_live'), all)[0]?.to).toBe(`/contacts/contact_${id}`);
  expect(findings(`key_${id}`, where('ws_other'), all)).toEqual([]);
});
