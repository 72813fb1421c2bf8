import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ToastPlace } from '../components/toast';
import { toasts } from '../components/toasts';
import { inLanguage } from '../i18n/testing';
import { problem, serve, show } from '../settings/testing';
import { AT_ONCE, runEach } from './bulk';
import { Inbox } from './page';
import { inboxAnswers, WITH_ADA, WITH_GRACE } from './testing';

afterEach(() => toasts.hide());

test('runs a few requests at a time, and continues after a failure', async () => {
  const items = Array.from({ length: 11 }, (_, at) => at);
  const progress: number[] = [];
  let running = 0;
  let most = 0;
  const act = async (item: number) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    if (item === 5) throw new Error('refused');
  };
  const { done, failed, left } = await runEach(items, act, { onProgress: (it) => progress.push(it) });
  expect(most).toBe(AT_ONCE);
  expect(done).toHaveLength(10);
  expect(failed.map(({ item }) => item)).toEqual([5]);
  expect(left).toEqual([]);
  expect(progress).toEqual(items.map((it) => it + 1));
});

test('a stopped bulk action starts no further requests', async () => {
  const controller = new AbortController();
  const started: number[] = [];
  const { left } = await runEach(
    [1, 2, 3, 4, 5, 6],
    async (item) => {
      started.push(item);
      controller.abort();
    },
    { signal: controller.signal },
  );
  expect(started.length + left.length).toBe(6);
  expect(left).toContain(6);
});

function showInbox() {
  show(
    <>
      <Inbox open={undefined} />
      <ToastPlace />
    </>,
  );
}

test('resolves selected conversations, and keeps failed ones selected with the reason', async () => {
  const refused = vi.fn(() => problem(409, 'conflict', 'The conversation is locked.'));
  serve(
    inboxAnswers({
      'POST /api/v1/conversations/conv_1/resolve': () => ({ ...WITH_ADA, status: 'resolved', version: 2 }),
      'POST /api/v1/conversations/conv_2/resolve': refused,
    }),
  );
  showInbox();
  await screen.findByRole('button', { name: /Ada/ });
  await userEvent.click(screen.getByRole('button', { name: 'Order and filters' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Select conversations' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select the conversation with Ada' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select the conversation with Grace' }));
  const bar = await screen.findByRole('region', { name: 'Selected conversations' });
  expect(within(bar).getByRole('status').textContent).toBe('2 conversations selected');
  await userEvent.click(within(bar).getByRole('button', { name: 'Resolve' }));
  const alert = await within(bar).findByRole('alert');
  expect(alert.textContent).toContain('1 conversation was not changed');
  expect(alert.textContent).toMatch(/Grace: /);
  expect(within(bar).getByRole('status').textContent).toBe('1 conversation selected');
  await screen.findByText('1 conversation resolved');
  expect(refused).toHaveBeenCalledTimes(1);
});

test('x selects the focused conversation, and selected ones can be assigned', async () => {
  const assigned = vi.fn(() => ({ ...WITH_GRACE, assignee_id: 'user_me', version: 2 }));
  serve(inboxAnswers({ 'POST /api/v1/conversations/conv_2/assign': assigned }));
  showInbox();
  (await screen.findByRole('button', { name: /Grace/ })).focus();
  await userEvent.keyboard('x');
  const bar = await screen.findByRole('region', { name: 'Selected conversations' });
  await userEvent.click(within(bar).getByRole('button', { name: 'Assign' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Ada (you)' }));
  await waitFor(() => expect(assigned).toHaveBeenCalledWith({ assignee_id: 'user_me' }, expect.anything()));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected conversations' })).toBeNull());
});

test('shows the selection in German, and Escape ends it', () =>
  inLanguage('de', async () => {
    serve(inboxAnswers());
    showInbox();
    (await screen.findByRole('button', { name: /Grace/ })).focus();
    await userEvent.keyboard('x');
    const bar = await screen.findByRole('region', { name: 'Ausgewählte Unterhaltungen' });
    expect(within(bar).getByRole('status').textContent).toBe('1 Unterhaltung ausgewählt');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull());
  }));
