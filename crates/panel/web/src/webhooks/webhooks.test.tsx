import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { problem, serve, show } from '../settings/testing';
import { WebhookPage } from './detail';
import { durationOf } from './health';
import { Webhooks } from './page';

const AT = '2026-01-01T00:00:00.000Z';
const HOOK = {
  id: 'hook_1',
  url: 'https://crm.example/hooks',
  events: ['contact.created'],
  description: 'Keeps the CRM in step',
  status: 'active',
  disabled_reason: null,
  payload: 'full',
  headers: {},
  secret_hint: 'Hh8=',
  stats: { succeeded_24h: 9, failed_24h: 1, p95_ms: 40 },
  last_delivery_at: AT,
  created_at: AT,
  updated_at: AT,
  version: 1,
};
const DELIVERY = {
  id: 'dlv_1',
  webhook_id: 'hook_1',
  event_id: 'evt_1',
  event_type: 'contact.created',
  status: 'failed',
  attempt_count: 10,
  last_status: 500,
  last_error: 'the receiver answered 500',
  next_attempt_at: null,
  created_at: AT,
  updated_at: AT,
  version: 2,
};
const TYPES = [
  {
    type: 'contact.created',
    description: 'a contact was created',
    can_happen: true,
    example: {},
    data_schema: {},
  },
  {
    type: 'contact.deleted',
    description: 'a contact was deleted',
    can_happen: true,
    example: {},
    data_schema: {},
  },
  { type: 'ai.later', description: 'something later', can_happen: false, example: {}, data_schema: {} },
];
const list = (data: unknown[]) => ({ data, next_cursor: null });
const PATH = '/api/v1/webhooks';
const served = {
  [`GET ${PATH}`]: (_: unknown, request: Request) => {
    const status = new URL(request.url).searchParams.get('status');
    const all = [HOOK, { ...HOOK, id: 'hook_2', url: 'https://old.example', status: 'disabled' }];
    return list(all.filter((it) => !status || it.status === status));
  },
  [`GET ${PATH}/hook_1`]: () => Response.json(HOOK, { headers: { ETag: '"1-a"' } }),
  'GET /api/v1/event-types': () => list(TYPES),
  [`GET ${PATH}/hook_1/deliveries`]: () => list([DELIVERY]),
};
const at = (search = '') => ({ path: `/webhooks/hook_1${search}`, route: '/webhooks/$id' });

test('lists webhooks with their health, and reads the filter from the address', async () => {
  serve(served);
  show(<Webhooks />, { path: '/?state=disabled' });
  expect(await screen.findByText('https://old.example')).toBeTruthy();
  expect(screen.queryByText('https://crm.example/hooks')).toBeNull();
  expect(screen.getByText('90% of 10 · p95 40 ms')).toBeTruthy();
});

test('a failed attempt shows the retry with its next attempt, and its webhook is not green', async () => {
  const next = new Date(Date.now() + 330_000).toISOString();
  serve({
    ...served,
    [`GET ${PATH}/hook_1/deliveries`]: () =>
      list([{ ...DELIVERY, status: 'pending', attempt_count: 1, next_attempt_at: next }]),
  });
  show(<WebhookPage />, at());
  const retrying = await screen.findByText('Retrying (1 of 10)');
  expect(retrying.dataset.tone).toBe('bad');
  expect(retrying.parentElement?.textContent).toContain('next in 5 minutes');
  expect(screen.getByText('active, some attempts fail').dataset.tone).toBe('wait');
});

test('hides webhooks from members who are not admins, and sends no requests', async () => {
  const { asked } = serve(served);
  show(<Webhooks />, { role: 'member' });
  expect(await screen.findByText('Only admins can manage webhooks')).toBeTruthy();
  expect(asked).toEqual([]);
});

test('creates a webhook from the catalogue, and shows its secret once', async () => {
  const post = vi.fn(() => ({ ...HOOK, secret: 'whsec_once' }));
  serve({ ...served, [`POST ${PATH}`]: post });
  show(<Webhooks />, { path: '/?create=true' });
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Address' }), 'https://a.example/h');
  await userEvent.click(await within(dialog).findByRole('checkbox', { name: 'contact.created' }));
  const later = within(dialog).getByRole('checkbox', { name: 'ai.later' });
  expect((later as HTMLInputElement).disabled).toBe(true);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create webhook' }));
  expect(await within(dialog).findByText('whsec_once')).toBeTruthy();
  expect(post).toHaveBeenCalledWith(
    {
      url: 'https://a.example/h',
      events: ['contact.created'],
      description: null,
      payload: 'full',
      headers: {},
    },
    expect.anything(),
  );
});

test('shows the error of an address at its field', async () => {
  serve({
    ...served,
    [`POST ${PATH}`]: () =>
      problem(422, 'validation_failed', 'Wrong.', [
        { pointer: '/url', code: 'invalid_value', message: 'is a private address' },
      ]),
  });
  show(<Webhooks />, { path: '/?create=true' });
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Address' }), 'https://10.0.0.1');
  await userEvent.click(await within(dialog).findByRole('checkbox', { name: 'All contact events' }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create webhook' }));
  expect(await within(dialog).findByText('Is a private address.')).toBeTruthy();
});

test('shows the attempts of a delivery with their responses, and replays it', async () => {
  const replay = vi.fn(() => ({ ...DELIVERY, status: 'pending' }));
  const attempt = {
    number: 10,
    at: AT,
    duration_ms: 12,
    status: 500,
    headers: { 'x-a': 'b' },
    body: 'down',
    error: 'the receiver answered 500',
  };
  serve({
    ...served,
    [`GET ${PATH}/hook_1/deliveries/dlv_1`]: () => ({ ...DELIVERY, attempts: [attempt] }),
    [`POST ${PATH}/hook_1/deliveries/dlv_1/replay`]: replay,
  });
  show(<WebhookPage />, at('?delivery=dlv_1'));
  const drawer = await screen.findByRole('complementary', { name: 'Delivery' });
  expect(await within(drawer).findByText('down')).toBeTruthy();
  await userEvent.click(within(drawer).getByRole('button', { name: 'Replay' }));
  expect(await within(drawer).findByText('The delivery was queued again.')).toBeTruthy();
  expect(replay).toHaveBeenCalledTimes(1);
});

test('shows the number of deliveries before a replay', async () => {
  const replay = vi.fn(() => ({ id: 'job_1' }));
  serve({ ...served, [`POST ${PATH}/hook_1/replay`]: replay });
  show(<WebhookPage />, at('?do=replay'));
  const dialog = await screen.findByRole('dialog', { name: 'Replay a period' });
  await userEvent.click(await within(dialog).findByRole('button', { name: 'Replay 1 delivery' }));
  expect(await within(dialog).findByText(/The deliveries are sent again/)).toBeTruthy();
  expect(replay).toHaveBeenCalledWith(expect.objectContaining({ status: 'failed' }), expect.anything());
});

test('shows why a webhook is disabled, and enables it', async () => {
  const enable = vi.fn(() => HOOK);
  const disabled = { ...HOOK, status: 'disabled', disabled_reason: 'the receiver answered 410' };
  serve({ ...served, [`GET ${PATH}/hook_1`]: () => disabled, [`POST ${PATH}/hook_1/enable`]: enable });
  show(<WebhookPage />, at());
  expect(await screen.findByText('the receiver answered 410')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Enable' }));
  await waitFor(() => expect(enable).toHaveBeenCalledTimes(1));
});

test('saves only changes, on the version that was shown', async () => {
  const saved = vi.fn();
  serve({
    ...served,
    [`PATCH ${PATH}/hook_1`]: (body, request) => {
      saved(body, request.headers.get('If-Match'));
      return HOOK;
    },
  });
  show(<WebhookPage />, at('?tab=settings'));
  const about = await screen.findByRole('textbox', { name: 'Description' });
  await userEvent.type(about, '!');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(saved).toHaveBeenCalledWith({ description: 'Keeps the CRM in step!' }, '"1-a"'));
});

test('shows durations with the decimal sign of the language', async () => {
  await inLanguage('de', () => expect(durationOf(2410)).toBe('2,4 s'));
});
