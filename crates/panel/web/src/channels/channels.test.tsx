import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { problem, serve, show } from '../settings/testing';
import { inboundUrl } from './api';
import { Channels } from './page';
import { AT, CHANNEL, list, PATH, served } from './testing';

test('the address filters by status', async () => {
  serve(served);
  show(<Channels />, { path: '/?state=disconnected' });
  expect(await screen.findByText('SMS')).toBeTruthy();
  expect(screen.queryByText('Support chat')).toBeNull();
});

test('opens a channel that the filters leave out', async () => {
  serve(served);
  show(<Channels />, { path: '/?state=disconnected&channel=chan_1' });
  expect(await screen.findByRole('dialog', { name: 'Support chat' })).toBeTruthy();
});

test('shows the problems of a channel at its provider', async () => {
  const problems = [
    { code: 'webhook_taken', message: 'Elsewhere.', since: AT },
    { code: 'of_a_later_version', message: 'Something else.', since: AT },
  ];
  const health = {
    state: 'failing',
    last_inbound_at: AT,
    last_sent_at: null,
    failing_since: AT,
    webhook: { ok: false, pending: 3, last_error: 'Connection timed out' },
    limits: {},
    credential_expires_at: null,
    problems,
    checked_at: AT,
  };
  serve({ ...served, [`GET ${PATH}`]: () => list([{ ...CHANNEL, health }]) });
  show(<Channels />, { path: '/?channel=chan_1' });
  const dialog = within(await screen.findByRole('dialog', { name: 'Support chat' }));
  expect(await screen.findByText('Connection timed out')).toBeTruthy();
  expect(await dialog.findByText('has problems')).toBeTruthy();
  const states = screen.getAllByText('connected, with problems');
  expect(states.map((it) => it.dataset.tone)).toEqual(['bad', 'bad']);
  expect(dialog.getByText(/sends messages of contacts to another address/)).toBeTruthy();
  expect(dialog.getByText('Something else.')).toBeTruthy();
  expect(dialog.queryByText('Last sent message')).toBeNull();
});

/** Opens a channel whose token ends after this many days. */
async function openWithToken(days: number) {
  const health = {
    state: 'ok',
    last_inbound_at: null,
    last_sent_at: null,
    failing_since: null,
    webhook: { ok: true, pending: null, last_error: null },
    limits: { quality_rating: 'GREEN', messaging_limit: 'TIER_2K', of_a_later_version: 7 },
    credential_expires_at: new Date(Date.now() + days * 86_400_000).toISOString(),
    problems: [],
    checked_at: AT,
  };
  serve({ ...served, [`GET ${PATH}`]: () => list([{ ...CHANNEL, health }]) });
  show(<Channels />, { path: '/?channel=chan_1' });
  return within(await screen.findByRole('dialog', { name: 'Support chat' }));
}

test('shows the limits of the provider, and warns of a token that expires within a week', async () => {
  const dialog = await openWithToken(6.9);
  expect(await dialog.findByText('2,000 in 24 hours')).toBeTruthy();
  expect(dialog.getByText('high')).toBeTruthy();
  expect(dialog.getByText('of_a_later_version')).toBeTruthy();
  expect(dialog.getByText('in 6 days')).toBeTruthy();
  expect(dialog.getByText(/The token expires soon/)).toBeTruthy();
});

test('does not warn of a token that expires later', async () => {
  const dialog = await openWithToken(8.1);
  expect(await dialog.findByText('in 8 days')).toBeTruthy();
  expect(dialog.queryByText(/The token expires soon/)).toBeNull();
});

test('the inbound URL has the public address of the server, or the address of the panel', () => {
  const inbound_url = 'https://public.example/inbound/guess';
  expect(inboundUrl({ ...CHANNEL, inbound_url })).toBe(inbound_url);
  expect(inboundUrl({ inbound_path: CHANNEL.inbound_path })).toBe(`${window.location.origin}/inbound/guess`);
});

test('shows the inbound URL that the server returns', async () => {
  const inbound_url = 'https://public.example/inbound/guess';
  serve({ ...served, [`GET ${PATH}`]: () => list([{ ...CHANNEL, inbound_url }]) });
  show(<Channels />, { path: '/?channel=chan_1' });
  expect(await screen.findByText(inbound_url)).toBeTruthy();
});

test('deleting shows the dependents, and continues only after a second confirmation', async () => {
  const asked: string[] = [];
  serve({
    ...served,
    [`DELETE ${PATH}/chan_1`]: (_, request) => {
      const { search } = new URL(request.url);
      asked.push(search);
      if (search) return { default_channel: null };
      const dependents = [{ type: 'flow', id: 'flow_1', name: 'Welcome' }];
      return Response.json({ code: 'in_use', detail: 'In use.', status: 409, dependents }, { status: 409 });
    },
  });
  show(<Channels />, { path: '/?channel=chan_1' });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Support chat?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete channel' }));
  expect(await within(dialog).findByText('Welcome')).toBeTruthy();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete anyway' }));
  await vi.waitFor(() => expect(asked).toEqual(['', '?force=true']));
});

test('the messages of a channel show the contact by name, the direction, the text, the status and the time', async () => {
  const sent = {
    id: 'msg_1',
    contact_id: 'contact_1',
    direction: 'outbound',
    status: 'failed',
    text: 'Your bike is ready',
    template: null,
    attachments: [],
    created_at: AT,
  };
  serve({
    ...served,
    [`GET ${PATH}/chan_1/captured`]: () => list([sent]),
    'POST /api/v1/contacts/search': () => list([{ id: 'contact_1', name: 'Ada Lovelace' }]),
  });
  show(<Channels />, { path: '/?channel=chan_1' });
  const messages = within(await screen.findByRole('region', { name: 'Messages' }));
  expect(await messages.findByRole('link', { name: 'Ada Lovelace' })).toBeTruthy();
  expect(messages.getByRole('img', { name: 'sent' })).toBeTruthy();
  expect(messages.getByText('Your bike is ready')).toBeTruthy();
  expect(messages.getByText('failed').dataset.tone).toBe('bad');
  expect(messages.getByRole('row', { name: /Ada/ }).querySelector('time')?.dateTime).toBe(AT);
});

const UNPARSED = {
  id: 'unp_1',
  received_at: AT,
  reason: 'the body has no `update_id`',
  size: 14,
  excerpt: '{"message":{}}',
};

test('admins see the requests that were not understood, with time, reason and body', async () => {
  serve({ ...served, [`GET ${PATH}/chan_1/unparsed`]: () => list([UNPARSED]) });
  show(<Channels />, { path: '/?channel=chan_1' });
  const title = await screen.findByRole('heading', { name: 'Requests that were not understood' });
  const section = within(title.parentElement as HTMLElement);
  expect(section.getByText('the body has no `update_id`')).toBeTruthy();
  expect(section.getByText('{"message":{}}')).toBeTruthy();
  expect(section.getByRole('listitem').querySelector('time')?.dateTime).toBe(AT);
});

test('shows the newest requests that were not understood, and the others on demand', async () => {
  const requests = ['a', 'b', 'c', 'd'].map((it) => ({ ...UNPARSED, id: it, size: 3_000, excerpt: it }));
  serve({ ...served, [`GET ${PATH}/chan_1/unparsed`]: () => list(requests) });
  show(<Channels />, { path: '/?channel=chan_1' });
  expect(await screen.findByText('c')).toBeTruthy();
  expect(screen.queryByText('d')).toBeNull();
  expect(screen.getAllByText('3 kB')).toHaveLength(3);
  await userEvent.click(screen.getByRole('button', { name: 'Show all 4 requests' }));
  expect(screen.getByText('d')).toBeTruthy();
});

test('reports a failed list of requests, and reads it again', async () => {
  let fails = true;
  const unparsed = () => (fails ? problem(500, 'internal', 'It broke.') : list([UNPARSED]));
  serve({ ...served, [`GET ${PATH}/chan_1/unparsed`]: unparsed });
  show(<Channels />, { path: '/?channel=chan_1' });
  const title = await screen.findByRole('heading', { name: 'Requests that were not understood' });
  fails = false;
  const section = within(title.parentElement as HTMLElement);
  await userEvent.click(section.getByRole('button', { name: 'Try again' }));
  expect(await section.findByText('{"message":{}}')).toBeTruthy();
});

test('members do not request the requests that were not understood', async () => {
  const { asked } = serve({ ...served, [`GET ${PATH}/chan_1/unparsed`]: () => list([UNPARSED]) });
  show(<Channels />, { role: 'member', path: '/?channel=chan_1' });
  expect(await screen.findByText('This channel has not sent any messages yet.')).toBeTruthy();
  expect(asked).not.toContain(`GET ${PATH}/chan_1/unparsed`);
  expect(screen.queryByText('Requests that were not understood')).toBeNull();
});

test('a member edits a channel, but cannot delete it', async () => {
  serve(served);
  show(<Channels />, { role: 'member', path: '/?channel=chan_1' });
  expect(await screen.findByRole('button', { name: 'Send a test' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
});

test('shows a channel in German', async () => {
  const last_error = 'The connection was refused.';
  serve({
    ...served,
    [`GET ${PATH}`]: () => list([{ ...CHANNEL, last_error }]),
    [`GET ${PATH}/chan_1/unparsed`]: () => list([UNPARSED]),
  });
  await inLanguage('de', async () => {
    show(<Channels />, { path: '/?channel=chan_1' });
    const dialog = await screen.findByRole('dialog', { name: 'Support chat' });
    expect(within(dialog).getByText('verbunden')).toBeTruthy();
    expect(within(dialog).getByText('Die Verbindung wurde abgelehnt.')).toBeTruthy();
    expect(within(dialog).getByText(/bis zu 3 Antwortvorschläge/)).toBeTruthy();
    expect(within(dialog).getByRole('button', { name: 'Trennen' })).toBeTruthy();
    expect(await within(dialog).findByRole('heading', { name: 'Nicht verstandene Anfragen' })).toBeTruthy();
  });
});
