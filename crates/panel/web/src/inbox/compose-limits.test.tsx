import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { ORDER, templates } from '../provider-templates/testing';
import { message } from '../sandbox/testing';
import { type Answers, serve, show } from '../settings/testing';
import { drafts, EMPTY } from './drafts';
import { Inbox } from './page';
import { conversation, inboxAnswers, page } from './testing';

beforeEach(() => {
  drafts.change('conv_1', EMPTY);
});

/** The answers with a channel of this type and an end of the reply window. */
const on = (kind: string, window_expires_at: string | null = null): Answers =>
  inboxAnswers({
    'GET /api/v1/channels': () =>
      page({ id: 'chan_1', kind, name: kind, capabilities: { quick_replies: 3 } }),
    'GET /api/v1/conversations/conv_1': () => conversation({ window_expires_at }),
    'GET /api/v1/conversations': () => page(conversation({ window_expires_at })),
  });
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000 + 5_000).toISOString();
const CLOSED = /accepts only templates now/;

test('the composer shows the time that WhatsApp leaves for a reply', async () => {
  serve(on('whatsapp', inMinutes(150)));
  show(<Inbox open="conv_1" />);
  expect(await screen.findByText('Time left for a reply: 2 h')).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: 'Note' }));
  expect(screen.queryByText(/Time left/)).toBeNull();
});

test('shows another text in the last minute of the window', async () => {
  serve(on('whatsapp', new Date(Date.now() + 40_000).toISOString()));
  show(<Inbox open="conv_1" />);
  expect(await screen.findByText('Less than a minute left for a reply')).toBeTruthy();
});

test.each([inMinutes(-1), null])(
  'after the window, or without one, WhatsApp accepts only templates',
  async (end) => {
    serve(on('whatsapp', end));
    show(<Inbox open="conv_1" />);
    expect(await screen.findByText(CLOSED)).toBeTruthy();
  },
);

test('a channel without a window has no notice', async () => {
  const { asked } = serve(on('telegram'));
  show(<Inbox open="conv_1" />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Your reply' }), 'Hello');
  // The button appears when the channels are loaded.
  await screen.findByRole('button', { name: 'Quick replies' });
  expect(screen.queryByText(CLOSED)).toBeNull();
  expect(asked.filter((it) => it.endsWith('/preview'))).toEqual([]);
});

test('counts the segments of an SMS after a pause', async () => {
  const asked: unknown[] = [];
  serve({
    ...on('sms'),
    'POST /api/v1/channels/chan_1/preview': (body) => {
      asked.push(body);
      return { parts: [], degraded: [], segments: { count: 2, encoding: 'ucs2' } };
    },
  });
  show(<Inbox open="conv_1" />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Your reply' }), 'Grüße ☀');
  const count = await screen.findByText('2 SMS segments');
  expect(count.title).toContain('70 characters');
  expect(asked.at(-1)).toEqual({ message: { type: 'text', text: 'Grüße ☀' } });
  await userEvent.clear(screen.getByRole('textbox', { name: 'Your reply' }));
  expect(screen.queryByText('2 SMS segments')).toBeNull();
});

test('can reply on WhatsApp with a template after the window', async () => {
  const sent: unknown[] = [];
  serve({
    ...on('whatsapp', inMinutes(-1)),
    'GET /api/v1/channels/chan_1/templates': () => templates(ORDER),
    'POST /api/v1/conversations/conv_1/messages': (body) => {
      sent.push(body);
      return message({ id: 'm9' });
    },
  });
  show(<Inbox open="conv_1" />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Your reply' }), 'Hello');
  await userEvent.click(screen.getByRole('button', { name: 'Add a template for later' }));
  await userEvent.click(await screen.findByRole('combobox', { name: 'Template' }));
  await userEvent.click(await screen.findByRole('option', { name: 'order_ready · en_US' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Parameter 1' }), 'Ada');
  expect(screen.getByText(/the template is sent instead/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Send Ctrl/ }));
  const template = { name: 'order_ready', language: 'en_US', parameters: { '1': 'Ada' } };
  await waitFor(() => expect(sent).toEqual([{ type: 'text', text: 'Hello', fallback: { template } }]));
  await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Template' })).toBeNull());
});

test('a channel without templates offers none', async () => {
  serve(on('telegram'));
  show(<Inbox open="conv_1" />);
  // The button appears when the channels are loaded.
  await screen.findByRole('button', { name: 'Quick replies' });
  expect(screen.queryByRole('button', { name: 'Add a template for later' })).toBeNull();
});
