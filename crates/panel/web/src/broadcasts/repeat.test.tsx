import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { type Answers, emptyLists, problem, serve, show } from '../settings/testing';
import { OneBroadcast } from './page';

const done = {
  id: 'bcast_1',
  name: 'Opening hours',
  audience: { field: 'subscribed', op: 'eq', value: true },
  message: { type: 'text', text: 'We open at nine.' },
  channel_id: null,
  scheduled_at: '2026-01-01T09:30:00.000Z',
  time_zone: 'workspace',
  rate_per_minute: 60,
  repeats: null as string | null,
  status: 'completed',
  stats: { targeted: 3, sent: 1, delivered: 1, read: 0, failed: 1, suppressed: 1, uncertain: 0 },
  error: null,
  started_at: '2026-01-01T10:00:00.000Z' as string | null,
  ended_at: '2026-01-01T11:00:00.000Z' as string | null,
  created_at: '2026-01-01T09:00:00.000Z',
  updated_at: '2026-01-01T11:00:00.000Z',
  version: 4,
};
const draft = {
  ...done,
  id: 'bcast_2',
  status: 'draft',
  repeats: 'bcast_1',
  started_at: null,
  ended_at: null,
};
const page = (...data: unknown[]) => ({ data, next_cursor: null, total: data.length });
const tagged = (body: object) => Response.json(body, { headers: { ETag: '"4-a"' } });
const recipient = (id: string, status: string, code?: string, message?: string) => ({
  contact_id: id,
  status,
  error: code ? { code, message: message ?? '' } : null,
  message_id: `msg_${id}`,
  message_status: status === 'sent' ? 'delivered' : status,
  updated_at: '2026-01-01T10:30:00.000Z',
});
const recipients = [
  recipient('contact_1', 'failed', 'rejected', 'the number does not exist'),
  recipient('contact_2', 'suppressed', 'unsubscribed'),
  recipient('contact_3', 'sent'),
];

function answers(but: Answers = {}): Answers {
  return {
    'GET /api/v1/broadcasts/bcast_1': () => tagged(done),
    'GET /api/v1/broadcasts/bcast_2': () => tagged(draft),
    'GET /api/v1/broadcasts/bcast_1/recipients': (_, request) => {
      const status = new URL(request.url).searchParams.get('status');
      return page(...recipients.filter((it) => !status || it.status === status));
    },
    'POST /api/v1/broadcasts/bcast_2/preview': () => ({ contact_count: 2, suppressed: {}, sample: [] }),
    'POST /api/v1/contacts/search': () => page({ id: 'contact_1', name: 'Ada' }),
    'GET /api/v1/contacts': () => page(),
    'GET /api/v1/channels': () =>
      page({ id: 'chan_1', name: 'Web', is_default: true, capabilities: { quick_replies: 3 } }),
    ...emptyLists('segments', 'tags'),
    'GET /api/v1/custom-fields': () =>
      page({ id: 'field_1', key: 'plan', name: 'Plan', type: 'text', options: [] }),
    'GET /api/v1/bot-fields': () => page(),
    ...but,
  };
}

test('lists recipients with their reasons, and filters them by status', async () => {
  serve(answers());
  show(<OneBroadcast id="bcast_1" />);
  const card = await screen.findByRole('region', { name: 'Recipients' });
  expect(await within(card).findByRole('row', { name: /Ada failed The number does not exist/ })).toBeTruthy();
  expect(within(card).getByRole('row', { name: /not sent the contact is unsubscribed/ })).toBeTruthy();
  expect(within(card).getByRole('row', { name: /delivered/ })).toBeTruthy();
  await userEvent.click(within(card).getByRole('combobox', { name: 'Status' }));
  await userEvent.click(await screen.findByRole('option', { name: 'not sent' }));
  await waitFor(() => expect(within(card).queryByRole('row', { name: /Ada/ })).toBeNull());
  await userEvent.click(within(card).getByRole('combobox', { name: 'Status' }));
  await userEvent.click(await screen.findByRole('option', { name: 'outcome unknown' }));
  expect(await within(card).findByText('No recipient has this status.')).toBeTruthy();
});

test('a copy keeps everything but the time', async () => {
  const made = vi.fn(() => tagged({ ...draft, repeats: null }));
  serve(answers({ 'POST /api/v1/broadcasts': made }));
  show(<OneBroadcast id="bcast_1" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Duplicate' }));
  const { audience, message, channel_id, time_zone, rate_per_minute } = done;
  const copied = { audience, message, channel_id, time_zone, rate_per_minute };
  await waitFor(() =>
    expect(made).toHaveBeenCalledWith(
      { ...copied, name: 'Opening hours (copy)', scheduled_at: null },
      expect.anything(),
    ),
  );
});

test('sending again explains and creates a draft, and reports if no recipient is left', async () => {
  let nobody = true;
  const made = vi.fn(() =>
    nobody ? problem(409, 'no_recipients', 'No recipient.') : Response.json(draft, { status: 201 }),
  );
  serve(answers({ 'POST /api/v1/broadcasts/bcast_1/repeat': made }));
  show(<OneBroadcast id="bcast_1" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Send again' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText(/^Nobody gets the message twice/)).toBeTruthy();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create draft' }));
  expect(await within(dialog).findByText('No recipient.')).toBeTruthy();
  nobody = false;
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create draft' }));
  await waitFor(() => expect(made).toHaveBeenCalledTimes(2));
});

test('the draft of a repeat links to the first broadcast, and cannot be duplicated', async () => {
  serve(answers());
  show(<OneBroadcast id="bcast_2" />);
  const link = await screen.findByRole('link', { name: 'Show the first broadcast' });
  expect(link.getAttribute('href')).toBe('/broadcasts/bcast_1');
  expect(screen.queryByRole('button', { name: 'Duplicate' })).toBeNull();
});

test('inserts a value at the caret of the message', async () => {
  serve(answers());
  show(<OneBroadcast id="bcast_2" />);
  const message = (await screen.findByRole('textbox', { name: 'Message' })) as HTMLTextAreaElement;
  await userEvent.type(message, ' for ');
  await userEvent.click(screen.getByRole('button', { name: 'Insert a value' }));
  expect(await screen.findByRole('menuitem', { name: 'custom_fields.plan' })).toBeTruthy();
  await userEvent.click(screen.getByRole('menuitem', { name: 'contact.first_name' }));
  await waitFor(() => expect(message.value).toBe('We open at nine. for {{ contact.first_name }}'));
});
