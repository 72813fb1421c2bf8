import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { LIVE, problem, serve, show } from '../settings/testing';
import type { Contact } from './api';
import { ContactPage } from './page';

const ada: Contact = {
  id: 'contact_1',
  external_id: null,
  first_name: 'Ada',
  last_name: 'Lovelace',
  name: 'Ada Lovelace',
  email: 'ada@x.example',
  phone: null,
  locale: null,
  time_zone: null,
  avatar_url: null,
  status: 'active',
  subscribed: false,
  identities: [
    {
      channel_id: 'chan_1',
      address: 'ada',
      aliases: [],
      opted_in: true,
      opt_out: null,
      undeliverable_since: null,
    },
  ],
  tags: [{ id: 'tag_vip', name: 'vip', applied_at: LIVE.created_at }],
  custom_fields: { seats: 3 },
  last_message_at: null,
  created_at: LIVE.created_at,
  updated_at: LIVE.updated_at,
  deleted_at: null,
  version: 1,
};
const PATH = '/api/v1/contacts/contact_1';
const none = { data: [], next_cursor: null };
const list = (...data: unknown[]) => ({ data, next_cursor: null });
const seats = { id: 'field_1', key: 'seats', name: 'Seats', type: 'number', options: [], validation: {} };
const answered = (body: object, etag = '"1-a"') => Response.json(body, { headers: { ETag: etag } });
const around = {
  [`GET ${PATH}`]: () => answered(ada),
  [`GET ${PATH}/sequences`]: () => none,
  [`GET ${PATH}/timeline`]: () => none,
  'GET /api/v1/flows': () => list({ id: 'flow_1', name: 'Welcome', status: 'active' }),
  'GET /api/v1/sequences': () => none,
  'GET /api/v1/tags': () => list({ id: 'tag_vip', name: 'vip' }, { id: 'tag_lead', name: 'lead' }),
  'GET /api/v1/custom-fields': () => list(seats),
  'GET /api/v1/channels': () => list({ id: 'chan_1', name: 'Sandbox', kind: 'sandbox' }),
};
const path = '/contacts/contact_1';
const route = '/contacts/$id';

test('the timeline shows why no message was sent', async () => {
  const entry = {
    id: 'msg_1',
    kind: 'suppression',
    at: LIVE.created_at,
    summary: {
      status: 'suppressed',
      reason: 'unsubscribed',
      text: 'Hello',
      sender: { type: 'flow', id: 'flow_1' },
    },
  };
  serve({ ...around, [`GET ${PATH}/timeline`]: () => list(entry) });
  show(<ContactPage />, { path, route });
  const timeline = await screen.findByRole('list', { name: 'Timeline' });
  expect(await within(timeline).findByText('Message not sent, by flow Welcome')).toBeTruthy();
  expect(within(timeline).getByText(/is unsubscribed, or opted out/)).toBeTruthy();
});

test('the timeline names fields and keys', async () => {
  const entry = {
    id: 'evt_1',
    kind: 'event',
    at: LIVE.created_at,
    summary: {
      type: 'contact.field_changed',
      actor: { type: 'api_key', id: 'key_1' },
      data: { object: { id: 'contact_1' }, field: { id: seats.id } },
    },
  };
  serve({
    ...around,
    [`GET ${PATH}/timeline`]: () => list(entry),
    [`GET /platform/workspaces/${LIVE.id}/api-keys`]: () =>
      list({ id: 'key_1', name: 'CRM', scope: 'write' }),
    [`GET /platform/workspaces/${LIVE.id}/members`]: () => none,
  });
  show(<ContactPage />, { path, route });
  expect(await screen.findByText('Field changed: Seats')).toBeTruthy();
  expect(await screen.findByText('by API key “CRM”')).toBeTruthy();
});

test('members see the name of the member who imported or changed a contact', async () => {
  const entry = {
    id: 'evt_1',
    kind: 'event',
    at: LIVE.created_at,
    summary: {
      type: 'contact.created',
      actor: { type: 'user', id: 'user_grace' },
      data: { object: { id: 'contact_1' } },
    },
  };
  serve({
    ...around,
    [`GET ${PATH}/timeline`]: () => list(entry),
    'GET /api/v1/assignees': () => list({ id: 'user_grace', name: 'Grace' }),
  });
  show(<ContactPage />, { path, route, role: 'member' });
  expect(await screen.findByText('by Grace')).toBeTruthy();
});

test('the timeline shows previous and new values', async () => {
  const event = (id: string, summary: object) => ({ id, kind: 'event', at: LIVE.created_at, summary });
  const object = { id: 'contact_1' };
  serve({
    ...around,
    [`GET ${PATH}/timeline`]: () =>
      list(
        event('evt_1', {
          type: 'contact.field_changed',
          data: { object, field: { id: seats.id } },
          changes: [{ field: 'custom_fields.seats', previous: null, value: 3 }],
        }),
        event('evt_2', {
          type: 'contact.updated',
          data: { object },
          changes: [
            { field: 'email', previous: 'a@x.example', value: 'ada@x.example' },
            { field: 'subscribed', previous: true, value: false },
          ],
        }),
        event('evt_3', {
          type: 'contact.field_changed',
          data: { object, field: { id: 'field_2' } },
          changes: [{ field: 'custom_fields.plan', previous: 'silver', value: 'gold' }],
        }),
      ),
  });
  show(<ContactPage />, { path, route });
  expect(await screen.findByText('Field changed: Seats: no value → 3')).toBeTruthy();
  expect(screen.getByText(/Email: a@x.example → ada@x.example\s+Subscribed: yes → no/)).toBeTruthy();
  expect(screen.getByText('Field changed: plan: silver → gold')).toBeTruthy();
});

test('saves only changes, on the version that was shown, and shows errors at their fields', async () => {
  const save = vi.fn((_body: unknown, request: Request) => {
    expect(request.headers.get('If-Match')).toBe('"1-a"');
    return problem(422, 'validation_failed', 'Wrong.', [
      { pointer: '/custom_fields/seats', code: 'wrong_type', message: 'expected a number' },
    ]);
  });
  serve({ ...around, [`PATCH ${PATH}`]: save });
  show(<ContactPage />, { path: `${path}?tab=profile`, route });
  const field = await screen.findByRole('textbox', { name: 'Seats' });
  await userEvent.clear(field);
  await userEvent.type(field, 'many');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Expected a number.')).toBeTruthy();
  expect(save.mock.calls[0]?.[0]).toEqual({ custom_fields: { seats: 'many' } });
});

test('marks an undeliverable address', async () => {
  const identities = ada.identities.map((it) => ({ ...it, undeliverable_since: LIVE.created_at }));
  serve({ ...around, [`GET ${PATH}`]: () => answered({ ...ada, identities }) });
  show(<ContactPage />, { path, route });
  const mark = await screen.findByText(/^Undeliverable, so automations/);
  expect(mark.querySelector('time')?.dateTime).toBe(LIVE.created_at);
});

test('shows the source and time of an opt-out', async () => {
  const opt_out = { source: 'link' as const, at: LIVE.created_at };
  const identities = ada.identities.map((it) => ({ ...it, opted_in: false, opt_out }));
  serve({ ...around, [`GET ${PATH}`]: () => answered({ ...ada, identities }) });
  show(<ContactPage />, { path, route });
  const line = await screen.findByText(/^Opted out by the unsubscribe link/);
  expect(line.querySelector('time')?.dateTime).toBe(LIVE.created_at);
});

test('shows concurrent changes of another user', async () => {
  let version = 1;
  serve({
    ...around,
    [`GET ${PATH}`]: () =>
      answered({ ...ada, first_name: version > 1 ? 'Augusta' : 'Ada' }, `"${version}-a"`),
    [`PATCH ${PATH}`]: () => {
      version = 2;
      return problem(412, 'precondition_failed', 'It changed.');
    },
  });
  show(<ContactPage />, { path: `${path}?tab=profile`, route });
  const name = await screen.findByRole('textbox', { name: 'Last name' });
  await userEvent.type(name, ' King');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Another user changed this')).toBeTruthy();
  expect(screen.getByText('Augusta')).toBeTruthy();
});

test('warns before and after a message to an unsubscribed contact', async () => {
  const send = vi.fn(() => ({ id: 'msg_2', status: 'suppressed', error: { code: 'unsubscribed' } }));
  serve({ ...around, [`POST ${PATH}/send-message`]: send });
  show(<ContactPage />, { path, route });
  await userEvent.click(await screen.findByRole('button', { name: 'Send message' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText(/The message will not be sent/)).toBeTruthy();
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Text' }), 'Hello');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Send' }));
  expect(await within(dialog).findByText(/^Not sent: The contact/)).toBeTruthy();
  expect(send.mock.calls[0]?.at(0)).toEqual({ type: 'text', text: 'Hello' });
});

test('restores a deleted contact by its ID', async () => {
  let there = false;
  serve({
    ...around,
    [`GET ${PATH}`]: () => (there ? answered(ada) : problem(404, 'not_found', 'Not here.')),
    [`POST ${PATH}/restore`]: () => {
      there = true;
      return ada;
    },
  });
  show(<ContactPage />, { path, route });
  await userEvent.click(await screen.findByRole('button', { name: 'Restore contact' }));
  expect(await screen.findByRole('heading', { name: 'Ada Lovelace' })).toBeTruthy();
});

test('a member removes a tag by replacing the list of tags', async () => {
  const replace = vi.fn(() => ({ ...ada, tags: [] }));
  serve({ ...around, [`PUT ${PATH}/tags`]: replace });
  show(<ContactPage />, { path, route, role: 'member' });
  await userEvent.click(await screen.findByRole('button', { name: 'Remove vip' }));
  await waitFor(() => expect(replace).toHaveBeenCalledWith({ tags: [] }, expect.anything()));
});

test('a viewer sees no buttons that change the contact', async () => {
  serve(around);
  show(<ContactPage />, { path, route, role: 'viewer' });
  expect(await screen.findByRole('heading', { name: 'Ada Lovelace' })).toBeTruthy();
  for (const name of ['Send message', 'Start flow', 'Add tag', 'Remove vip']) {
    expect(screen.queryByRole('button', { name })).toBeNull();
  }
});

test('previews and merges a contact into another', async () => {
  const other = {
    ...ada,
    id: 'contact_2',
    first_name: 'A.',
    last_name: null,
    name: 'A.',
    email: null,
    subscribed: true,
  };
  const merge = vi.fn((_body: unknown) => answered({ ...other, version: 2 }));
  serve({ ...around, 'GET /api/v1/contacts': () => list(ada, other), [`POST ${PATH}/merge`]: merge });
  show(<ContactPage />, { path, route });
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for this contact' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Merge into…' }));
  await userEvent.click(await screen.findByRole('combobox', { name: /Contact to keep/ }));
  const options = await screen.findAllByRole('option');
  expect(options.map((it) => it.textContent)).toEqual(['A.']);
  await userEvent.click(options[0] as HTMLElement);
  const preview = await screen.findByRole('region', { name: 'Result of the merge' });
  expect(within(preview).getByText('Email: ada@x.example')).toBeTruthy();
  expect(within(preview).getByText('First name: Ada')).toBeTruthy();
  expect(within(preview).getByText('unsubscribed')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }));
  await waitFor(() => expect(merge.mock.calls[0]?.[0]).toEqual({ into: 'contact_2' }));
});

test('the ID of a step in the timeline is copied from its menu', async () => {
  const entry = {
    id: 'evt_1',
    kind: 'run_step',
    at: LIVE.created_at,
    summary: {
      flow_id: 'flow_1',
      run_id: 'run_1',
      node_id: 'greet',
      type: 'add_tag',
      outcome: 'completed',
      outcome_parts: [{ code: 'completed' }],
    },
  };
  serve({ ...around, [`GET ${PATH}/timeline`]: () => list(entry) });
  show(<ContactPage />, { path, route });
  const user = userEvent.setup();
  const timeline = await screen.findByRole('list', { name: 'Timeline' });
  await user.click(within(timeline).getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy the ID' }));
  expect(await navigator.clipboard.readText()).toBe('greet');
  expect(timeline.querySelector('[title="greet"]')).toBeNull();
});
