import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { counts } from '../inbox/testing';
import { type Answers, emptyLists, serve, show } from '../settings/testing';
import { Attention } from './attention';

const page = (...data: unknown[]) => ({ data, next_cursor: null, total: data.length });

function answer(waiting: number, more: Answers = {}) {
  return serve({
    ...emptyLists('channels', 'jobs', 'flows'),
    'GET /api/v1/conversations/counts': () => counts({ open: 9, waiting }),
    ...more,
  });
}

test('members see how many conversations have no reply, with a link to them', async () => {
  answer(2);
  show(<Attention />, { role: 'member' });
  const link = await screen.findByRole('link', { name: /2 conversations have no reply/ });
  expect(link.getAttribute('href')).toBe('/inbox?view=waiting');
});

test('needs no attention if each conversation has a reply', async () => {
  answer(0);
  show(<Attention />, { role: 'member' });
  await screen.findByText(/^Nothing needs attention\./);
});

const channel = (id: string, name: string, kind: string, is_default = false) => ({
  id,
  name,
  kind,
  is_default,
  status: 'connected',
});
const CHAT = channel('chan_chat', 'Chat', 'http', true);

test('names the live broadcasts on a sandbox channel other than the default', async () => {
  const broadcasts: Record<string, unknown[]> = {
    sending: [{ id: 'bc_1', name: 'Sale', channel_id: 'chan_test' }],
    scheduled: [
      { id: 'bc_2', name: 'News', channel_id: null },
      { id: 'bc_3', name: 'Hours', channel_id: 'chan_chat' },
      { id: 'bc_4', name: 'Open day', channel_id: 'chan_test' },
    ],
  };
  answer(0, {
    'GET /api/v1/channels': () => page(CHAT, channel('chan_test', 'Test', 'sandbox')),
    'GET /api/v1/broadcasts': (_, { url }) => {
      const status = new URL(url).searchParams.get('status') ?? '';
      return page(...(broadcasts[status] ?? []));
    },
  });
  show(<Attention />, { role: 'member' });
  const links = await screen.findAllByRole('link', { name: /uses the sandbox channel “Test”/ });
  expect(links.map((it) => it.getAttribute('href'))).toEqual(['/broadcasts/bc_1', '/broadcasts/bc_4']);
});

test('names a flow that a keyword starts on a sandbox channel once', async () => {
  const flows = [{ id: 'flow_1', name: 'Repairs' }];
  answer(0, {
    'GET /api/v1/channels': () =>
      page(CHAT, channel('chan_test', 'Test', 'sandbox'), channel('chan_old', 'Old', 'sandbox')),
    'GET /api/v1/broadcasts': () => page(),
    'GET /api/v1/flows': (_, { url }) => page(...(new URL(url).searchParams.has('channel_id') ? flows : [])),
  });
  show(<Attention />, { role: 'member' });
  const links = await screen.findAllByRole('link', { name: /starts the flow “Repairs” on .* “Test”/ });
  expect(links.map((it) => it.getAttribute('href'))).toEqual(['/flows/flow_1']);
});

test('requests no broadcasts if no other channel is a sandbox', async () => {
  const { asked } = answer(0, {
    'GET /api/v1/channels': () => page(channel('chan_box', 'Sandbox', 'sandbox', true)),
  });
  show(<Attention />, { role: 'member' });
  await screen.findByText(/^Connect a channel: the default channel “Sandbox”/);
  expect(asked).not.toContain('GET /api/v1/broadcasts');
});
