import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { message } from '../sandbox/testing';
import { type Answers, serve, show } from '../settings/testing';
import { drafts, EMPTY } from './drafts';
import { neighbourOf } from './next';
import { InboxPage } from './page';
import { resolvesOf } from './resolves';
import { conversation, inboxAnswers, WITH_GRACE as other, page } from './testing';
import type { TimelineEntry } from './told';

afterEach(() => drafts.change('conv_1', EMPTY));

const AT = '2026-01-01T10:00:00.000Z';
const open = conversation({ id: 'conv_1', last_message_at: AT });
const event = (id: string, conversationId: string): TimelineEntry => ({
  id,
  kind: 'event',
  at: AT,
  summary: {
    type: 'conversation.resolved',
    actor: { type: 'user', id: 'user_me' },
    data: { object: { id: conversationId } },
  },
});

function answers(but: Answers = {}): Answers {
  return inboxAnswers({
    'GET /api/v1/conversations': () => page(open, other),
    'GET /api/v1/conversations/conv_1': () => open,
    'GET /api/v1/conversations/conv_1/messages': () => page(message({ id: 'm1', created_at: AT })),
    'GET /api/v1/conversations/conv_2/messages': () => page(message({ id: 'm2', created_at: AT })),
    'POST /api/v1/conversations/conv_1/resolve': () => ({ ...open, status: 'resolved', version: 2 }),
    'GET /api/v1/contacts/contact_1/timeline': () => page(event('evt_1', 'conv_1'), event('evt_2', 'conv_9')),
    ...but,
  });
}
const showInbox = () => show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });

test('a resolve leaves a line in the thread', async () => {
  const reopened = { ...open, reopen_count: 1 };
  serve(
    answers({
      'GET /api/v1/conversations': () => page(reopened, other),
      'GET /api/v1/conversations/conv_1': () => reopened,
    }),
  );
  showInbox();
  const log = await screen.findByRole('log', { name: 'Messages' });
  expect(await within(log).findAllByText(/^Resolved by you/)).toHaveLength(1);
});

test('a resolve that the timeline does not contain has a line without a name', () => {
  const resolved = conversation({ id: 'conv_1', resolved_at: '2026-01-02T10:00:00.000Z' });
  const found = resolvesOf(resolved, [event('evt_1', 'conv_1')]);
  expect(found.map(({ at, actor }) => [at, actor?.id])).toEqual([
    [AT, 'user_me'],
    ['2026-01-02T10:00:00.000Z', undefined],
  ]);
});

test('a resolve opens the next conversation', async () => {
  serve(answers());
  const { router } = showInbox();
  await screen.findByRole('button', { name: /Grace/ });
  await userEvent.click(await screen.findByRole('button', { name: 'Resolve' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/inbox/conv_2'));
});

test('the next composer has the focus after a resolve in the composer', async () => {
  serve(
    answers({ 'POST /api/v1/conversations/conv_1/messages': () => message({ id: 'm3', created_at: AT }) }),
  );
  showInbox();
  await screen.findByRole('button', { name: /Grace/ });
  await userEvent.type(await screen.findByPlaceholderText('Write to Ada …'), 'We open at nine.');
  await userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}');
  const next = await screen.findByPlaceholderText('Write to Grace …');
  await waitFor(() => expect(document.activeElement).toBe(next));
});

test('the next composer has no focus after a resolve outside the composer', async () => {
  serve(answers());
  showInbox();
  await screen.findByRole('button', { name: /Grace/ });
  const reply = await screen.findByPlaceholderText('Write to Ada …');
  await userEvent.keyboard('r');
  await waitFor(() => expect(document.activeElement).toBe(reply));
  await userEvent.keyboard('{Escape}e');
  const next = await screen.findByPlaceholderText('Write to Grace …');
  expect(document.activeElement).not.toBe(next);
});

test.each([
  ['text', { text: 'One more thing' }],
  ['files', { files: [{ key: 'f1', name: 'cat.png', size: 3 }] }],
])('a resolve stays on the conversation while its composer contains %s', async (_, draft) => {
  const { asked } = serve(answers());
  const { router } = showInbox();
  await screen.findByRole('button', { name: /Grace/ });
  drafts.change('conv_1', draft);
  await userEvent.click(await screen.findByRole('button', { name: 'Resolve' }));
  await screen.findByRole('button', { name: 'Reopen' });
  expect(asked).toContain('POST /api/v1/conversations/conv_1/resolve');
  expect(router.state.location.pathname).toBe('/inbox/conv_1');
});

test('a user who turned it off stays on the conversation', async () => {
  serve(answers());
  const { router } = showInbox();
  await screen.findByRole('button', { name: /Grace/ });
  await userEvent.click(screen.getByRole('button', { name: 'Order and filters' }));
  const option = await screen.findByRole('menuitemcheckbox', { name: 'Open the next conversation' });
  expect(option.getAttribute('aria-checked')).toBe('true');
  await userEvent.click(option);
  expect(option.getAttribute('aria-checked')).toBe('false');
  await userEvent.keyboard('{Escape}');
  await userEvent.click(await screen.findByRole('button', { name: 'Resolve' }));
  await screen.findByRole('button', { name: 'Reopen' });
  expect(router.state.location.pathname).toBe('/inbox/conv_1');
});

test('the next conversation is the one below, or the one above at the end', () => {
  const rows = ['a', 'b', 'c'].map((id) => conversation({ id }));
  expect(['a', 'b', 'c', 'd'].map((id) => neighbourOf(rows, id))).toEqual(['b', 'c', 'b', undefined]);
  expect(neighbourOf(rows.slice(0, 1), 'a')).toBeUndefined();
});
