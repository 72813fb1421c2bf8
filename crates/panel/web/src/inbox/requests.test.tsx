import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { message } from '../sandbox/testing';
import { serve, show } from '../settings/testing';
import { drafts, EMPTY } from './drafts';
import { InboxPage } from './page';
import { inboxAnswers, page, WITH_ADA, WITH_GRACE } from './testing';

afterEach(() => drafts.change('conv_1', EMPTY));

/** The most requests for a reply with a resolve that opens the next conversation. */
const MOST = 12;
const AT = '2026-01-01T10:00:00.000Z';
const REPLY = message({ id: 'm9', conversation_id: 'conv_1', created_at: AT, text: 'We open at nine.' });
const REPLIED = { ...WITH_ADA, assignee_id: 'user_me', first_reply_at: AT, last_message_at: AT, version: 2 };
const RESOLVED = { ...REPLIED, status: 'resolved' as const, resolved_at: AT, version: 3 };
const UNREAD = { ...WITH_GRACE, unread_count: 1 };

/** A live stream of the server, with functions to send events. */
function stream() {
  let send: (text: string) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      send = (text) => controller.enqueue(new TextEncoder().encode(text));
      send('event: ready\ndata: {"position":1}\n\n');
    },
  });
  let position = 1;
  return {
    response: () => new Response(body),
    hint: (changed: object) => send(`event: changed\ndata: ${JSON.stringify({ changed })}\n\n`),
    event: (type: string, object: object) => {
      position += 1;
      send(`id: ${position}\nevent: ${type}\ndata: ${JSON.stringify({ type, data: { object } })}\n\n`);
    },
  };
}

const pause = (milliseconds: number) => new Promise((over) => setTimeout(over, milliseconds));

test('a reply that resolves a conversation causes few requests', { timeout: 20_000 }, async () => {
  const told = stream();
  let shown = [WITH_ADA, UNREAD];
  let ada: object = WITH_ADA;
  const { asked } = serve(
    inboxAnswers({
      'GET /api/v1/stream': told.response,
      'GET /api/v1/conversations': () => page(...shown),
      'GET /api/v1/conversations/conv_1': () => ada,
      'GET /api/v1/conversations/conv_2': () => UNREAD,
      'POST /api/v1/conversations/conv_1/messages': () => {
        ada = REPLIED;
        told.hint({ type: 'conversation', id: 'conv_1', version: 2 });
        told.hint({ type: 'message', id: 'm9', version: 1 });
        return REPLY;
      },
      'POST /api/v1/conversations/conv_1/resolve': () => {
        ada = RESOLVED;
        shown = [UNREAD];
        told.event('conversation.resolved', RESOLVED);
        return RESOLVED;
      },
      'POST /api/v1/conversations/conv_2/read': () => {
        told.hint({ type: 'conversation', id: 'conv_2', version: 2 });
        return { ...UNREAD, unread_count: 0, version: 2 };
      },
    }),
  );
  const { router } = show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  await screen.findByRole('button', { name: /Grace/ });
  await userEvent.type(await screen.findByPlaceholderText('Write to Ada …'), 'We open at nine.');
  await pause(1_500);
  asked.length = 0;

  await userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}');
  await screen.findByPlaceholderText('Write to Grace …');
  expect(router.state.location.pathname).toBe('/inbox/conv_2');
  await pause(300);
  told.event('message.sent', { ...REPLY, status: 'sent', version: 2 });
  await pause(500);
  told.event('message.delivered', { ...REPLY, status: 'delivered', version: 3 });
  await pause(1_500);
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Ada/ })).toBeNull());
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(MOST);
});

test('the list reads 50 conversations at a time', async () => {
  const limits: (string | null)[] = [];
  const list = (_: unknown, { url }: Request) => {
    const query = new URL(url).searchParams;
    if (query.get('sort') === '-last_message_at' && !query.has('contact_id')) limits.push(query.get('limit'));
    return page(WITH_ADA);
  };
  serve(inboxAnswers({ 'GET /api/v1/conversations': list }));
  show(<InboxPage />, { path: '/inbox', route: '/inbox/{-$conversation}' });
  await screen.findByRole('button', { name: /^Ada/ });
  expect(new Set(limits)).toEqual(new Set(['50']));
});

test('reads a new message with one request for each list', { timeout: 20_000 }, async () => {
  const told = stream();
  const { asked } = serve(inboxAnswers({ 'GET /api/v1/stream': told.response }));
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  await screen.findByPlaceholderText('Write to Ada …');
  await pause(1_500);
  asked.length = 0;
  const inbound = message({ id: 'm8', conversation_id: 'conv_1', created_at: AT, direction: 'inbound' });
  told.event('message.received', inbound);
  told.hint({ type: 'conversation', id: 'conv_1', version: 2 });
  await pause(1_000);
  expect(asked.toSorted()).toEqual([
    'GET /api/v1/conversations',
    'GET /api/v1/conversations',
    'GET /api/v1/conversations/conv_1',
    'GET /api/v1/conversations/conv_1/messages',
    'GET /api/v1/conversations/counts',
  ]);
});
