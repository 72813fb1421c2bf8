import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Message } from '../sandbox/messages';
import { message } from '../sandbox/testing';
import { problem, serve, show } from '../settings/testing';
import { InboxPage } from './page';
import { inboxAnswers, page } from './testing';

const RESEND = 'POST /api/v1/messages/m1/resend';
const ERROR = { code: 'provider_failed', message: 'the number is not reachable' };
const COPY = message({ id: 'm5', text: 'A copy', status: 'queued', resend_of: 'm1' });

/** Shows an inbox whose only message is the given one. */
function showMessage(but: Partial<Message>, resend: () => unknown = () => COPY, role?: 'viewer') {
  const served = serve(
    inboxAnswers({
      'GET /api/v1/conversations/conv_1/messages': () => page(message({ id: 'm1', error: ERROR, ...but })),
      [RESEND]: resend,
    }),
  );
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}', role });
  return served;
}

const button = () => screen.findByRole('button', { name: 'Send again' });
/** Finds a text in the thread. The list shows the last message, too. */
const inThread = async (text: string) =>
  within(await screen.findByRole('log', { name: 'Messages' })).findByText(text);

test('sends a failed message again at once, and only once', async () => {
  const { asked } = showMessage({ status: 'failed' });
  await userEvent.click(await button());
  expect(await inThread('A copy')).toBeTruthy();
  expect(await inThread('Sent again')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Send again' })).toBeNull();
  expect(asked.filter((it) => it === RESEND)).toHaveLength(1);
});

test('sends an uncertain message again after a confirmation', async () => {
  const { asked } = showMessage({ status: 'uncertain' });
  await userEvent.click(await button());
  const asking = await screen.findByRole('dialog', { name: 'Send this message again?' });
  expect(within(asking).getByText(/the contact gets it twice/)).toBeTruthy();
  expect(asked).not.toContain(RESEND);
  await userEvent.click(within(asking).getByRole('button', { name: 'Send again' }));
  expect(await inThread('A copy')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('shows the reason if the message was not sent again', async () => {
  showMessage({ status: 'failed' }, () => problem(409, 'no_channel', 'The channel was deleted.'));
  await userEvent.click(await button());
  expect(await screen.findByText(/The channel was deleted/)).toBeTruthy();
  expect(await button()).toBeTruthy();
});

test.each<[string, Partial<Message>, 'viewer' | undefined]>([
  ['a sent message', { status: 'sent', error: null }, undefined],
  ['a message without a text', { status: 'failed', error: { ...ERROR, code: 'template_error' } }, undefined],
  ['a message that was sent again', { status: 'failed', resent_as: 'm5' }, undefined],
  ['a viewer', { status: 'failed' }, 'viewer'],
])('%s has no button', async (_, but, role) => {
  showMessage(but, undefined, role);
  expect(await inThread('Hello')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Send again' })).toBeNull();
});
