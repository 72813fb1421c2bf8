import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { message } from '../sandbox/testing';
import { serve, show } from '../settings/testing';
import { InboxPage } from './page';
import { inboxAnswers, page } from './testing';

const RECEIVED = { ...message({ id: 'm1', direction: 'inbound', text: 'Yes.' }), has_original: true };

/** Shows an inbox with one mail, and the mail with these parts when it is read. */
function showMail(parts: { html?: string; text_full?: string }) {
  const served = serve(
    inboxAnswers({
      'GET /api/v1/conversations/conv_1/messages': () => page(RECEIVED),
      'GET /api/v1/messages/m1': () => ({ ...RECEIVED, ...parts }),
    }),
  );
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  return served;
}

test('shows a mail with its formatting on request', async () => {
  const html = '<p>Yes. <b>Please</b></p><script>evil()</script><img src="https://a.example/t.gif">';
  const { asked } = showMail({ html, text_full: 'Yes. Please' });
  const button = await screen.findByRole('button', { name: 'Show the whole message' });
  expect(asked).not.toContain('GET /api/v1/messages/m1');
  await userEvent.click(button);
  const whole = await screen.findByRole('region', { name: 'Whole message' });
  expect(whole.innerHTML).toBe('<p>Yes. <b>Please</b></p>');
  await userEvent.click(screen.getByRole('button', { name: 'Hide the whole message' }));
  expect(screen.queryByRole('region', { name: 'Whole message' })).toBeNull();
});

test('shows the whole text of a mail without formatting', async () => {
  showMail({ text_full: 'Yes.\n> Tea? <b>' });
  await userEvent.click(await screen.findByRole('button', { name: 'Show the whole message' }));
  const whole = await screen.findByRole('region', { name: 'Whole message' });
  expect(whole.textContent).toBe('Yes.\n> Tea? <b>');
});

test('a complete message has no button', async () => {
  serve(inboxAnswers());
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  const thread = within(await screen.findByRole('log', { name: 'Messages' }));
  expect(await thread.findByText('Hello')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show the whole message' })).toBeNull();
});
