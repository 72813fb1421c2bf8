import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { LIVE, serve, show } from '../settings/testing';
import type { AuditEntry } from './api';
import { AuditLog } from './page';

const value = (before: unknown, after: unknown) => ({ before, after, withheld: false, cut: false });
const renamed: AuditEntry = {
  id: 'audit_1',
  at: LIVE.created_at,
  actor: { type: 'user', id: 'user_ada', scope: 'full' },
  action: 'tag.updated',
  object: { type: 'tag', id: 'tag_1', name: 'Gold' },
  changes: { name: value('VIP', 'Gold'), color: value(null, '#fd7e14') },
};
const rotated: AuditEntry = {
  ...renamed,
  id: 'audit_2',
  actor: { type: 'system', id: null, scope: null },
  action: 'webhook.updated',
  object: { type: 'webhook', id: 'hook_1', name: null },
  changes: { url: { before: null, after: null, withheld: true, cut: false } },
};
const PLATFORM = `/platform/workspaces/${LIVE.id}`;
const none = () => ({ data: [], next_cursor: null });

function served() {
  const asked: Record<string, string>[] = [];
  serve({
    [`GET ${PATH}`]: (_, request) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams));
      return { data: [renamed, rotated], next_cursor: null };
    },
    [`GET ${PLATFORM}/api-keys`]: none,
    [`GET ${PLATFORM}/members`]: () => ({ data: [{ id: 'user_ada', name: 'Ada' }], next_cursor: null }),
  });
  return asked;
}
const PATH = `${PLATFORM}/audit-log`;

test('entries show who changed what, and their details the old values', async () => {
  served();
  show(<AuditLog />);
  const row = await screen.findByRole('row', { name: /Tag: updated Gold Name, Colour/ });
  await waitFor(() => expect(row.textContent).toContain('Ada'));
  expect(screen.getByRole('row', { name: /the service Webhook: updated hook_1 URL/ })).toBeTruthy();
  await userEvent.click(row);
  const details = await screen.findByRole('complementary', { name: 'Change' });
  expect(within(details).getByRole('row', { name: 'Name VIP Gold' })).toBeTruthy();
  expect(within(details).getByRole('row', { name: 'Colour none #fd7e14' })).toBeTruthy();
});

test('shows names of objects and values instead of IDs', async () => {
  const entry = (id: string, object: AuditEntry['object'], changes: AuditEntry['changes'] = {}) => ({
    ...renamed,
    id,
    object,
    changes,
  });
  const channels = { channels: value(null, ['chan_1', 'chan_gone']) };
  const contact = { id: 'contact_1', name: 'Lin' };
  serve({
    [`GET ${PATH}`]: () => ({
      data: [
        entry('audit_3', { type: 'member', id: 'user_ada', name: null }),
        entry('audit_4', { type: 'contact', id: 'contact_1', name: null }),
        entry('audit_5', { type: 'webhook', id: 'hook_1', name: null }, channels),
        entry('audit_6', { type: 'job', id: 'job_1', name: null }),
      ],
      next_cursor: null,
    }),
    [`GET ${PLATFORM}/api-keys`]: none,
    [`GET ${PLATFORM}/members`]: () => ({ data: [{ id: 'user_ada', name: 'Ada' }], next_cursor: null }),
    'POST /api/v1/contacts/search': () => ({ data: [contact], next_cursor: null }),
    'GET /api/v1/webhooks': () => ({ data: [{ id: 'hook_1', description: null, url: 'https://x.example' }] }),
    'GET /api/v1/channels': () => ({ data: [{ id: 'chan_1', name: 'Web' }], next_cursor: null }),
  });
  show(<AuditLog />, { path: '/?open=audit_5' });
  await screen.findByRole('row', { name: /job_1/ });
  for (const name of [/updated Ada$/, /updated Lin$/, /https:\/\/x\.example/])
    await screen.findByRole('row', { name });
  const details = await screen.findByRole('complementary', { name: 'Change' });
  expect(await within(details).findByText(/"Web",\s+"chan_gone"/)).toBeTruthy();
});

test('marks values that are not stored, and links to all changes of the object', async () => {
  const asked = served();
  const { router } = show(<AuditLog />, { path: '/?open=audit_2' });
  expect(
    await screen.findByRole('row', { name: 'URL changed; the audit log does not store this value' }),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'All changes of this object' }));
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ object_id: 'hook_1', object_type: 'webhook' }));
  expect(router.state.location.search).toMatchObject({ object: 'hook_1', type: 'webhook' });
});

test('sends the filters of the address to the API', async () => {
  const asked = served();
  show(<AuditLog />, { path: '/?type=tag&action=tag.updated&actor=system&from=2026-01-01&to=2026-01-31' });
  await screen.findByRole('row', { name: /Tag: updated/ });
  const [{ from, to, ...rest } = { from: '', to: '' }] = asked;
  expect(rest).toMatchObject({ object_type: 'tag', action: 'tag.updated', actor: 'system' });
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(31 * 86_400_000);
});

test('hides the audit log from members who are not admins', async () => {
  const asked = served();
  show(<AuditLog />, { role: 'member' });
  expect(await screen.findByText('Only admins can see the audit log')).toBeTruthy();
  expect(asked).toEqual([]);
});
