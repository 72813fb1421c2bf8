import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { message } from '../sandbox/testing';
import { problem, serve, show } from '../settings/testing';
import { drafts, EMPTY } from './drafts';
import { InboxPage } from './page';
import { ADA, conversation, inboxAnswers, page, WITH_ADA, WITH_GRACE } from './testing';

beforeEach(() => {
  drafts.change('conv_1', EMPTY);
});
const showInbox = (path = '/inbox/conv_1') => show(<InboxPage />, { path, route: '/inbox/{-$conversation}' });

test('Ctrl Shift Enter sends the reply and resolves the conversation', async () => {
  const resolved = vi.fn(() => ({ ...WITH_ADA, status: 'resolved', version: 2 }));
  const { asked } = serve(
    inboxAnswers({
      'POST /api/v1/conversations/conv_1/messages': () => message({ id: 'm3', text: 'Done' }),
      'POST /api/v1/conversations/conv_1/resolve': resolved,
    }),
  );
  const { router } = showInbox();
  await screen.findByRole('button', { name: /Grace/ });
  const field = await screen.findByRole('textbox', { name: 'Your reply' });
  await userEvent.type(field, 'Done{Control>}{Shift>}{Enter}{/Shift}{/Control}');
  await waitFor(() => expect(resolved).toHaveBeenCalledTimes(1));
  const sent = asked.indexOf('POST /api/v1/conversations/conv_1/messages');
  expect(asked.indexOf('POST /api/v1/conversations/conv_1/resolve')).toBeGreaterThan(sent);
  await waitFor(() => expect(router.state.location.pathname).toBe('/inbox/conv_2'));
});

test('a failed reply does not resolve the conversation, and notes have no such button', async () => {
  const { asked } = serve(
    inboxAnswers({
      'POST /api/v1/conversations/conv_1/messages': () => problem(503, 'unavailable', 'The store is away.'),
    }),
  );
  showInbox();
  await userEvent.type(await screen.findByRole('textbox', { name: 'Your reply' }), 'Done');
  await userEvent.click(screen.getByRole('button', { name: 'Send and resolve' }));
  await screen.findByText(/Your text is still here/);
  expect(asked).not.toContain('POST /api/v1/conversations/conv_1/resolve');
  await userEvent.click(screen.getByRole('radio', { name: 'Note' }));
  expect(screen.queryByRole('button', { name: 'Send and resolve' })).toBeNull();
});

test('the card lists conversations on other channels, and the number of reopens', async () => {
  const earlier = conversation({ id: 'conv_9', channel_id: 'chan_2', status: 'resolved' });
  serve(
    inboxAnswers({
      'GET /api/v1/conversations/conv_1': () => ({ ...WITH_ADA, reopen_count: 2 }),
      'GET /api/v1/conversations': (_, { url }) =>
        url.includes('contact_id=contact_1') ? page(WITH_ADA, earlier) : page(WITH_ADA, WITH_GRACE),
      'GET /api/v1/channels': () =>
        page(
          { id: 'chan_1', kind: 'http', name: 'Web', capabilities: { quick_replies: 0 } },
          { id: 'chan_2', kind: 'http', name: 'Shop', capabilities: { quick_replies: 0 } },
        ),
    }),
  );
  showInbox();
  const others = await screen.findByRole('region', { name: 'Other conversations' });
  const link = await within(others).findByRole('link', { name: 'Shop' });
  expect(link.getAttribute('href')).toBe('/inbox/conv_9');
  expect(within(others).getByText('This conversation was reopened 2 times.')).toBeTruthy();
});

test('edits fields of the contact next to the conversation', async () => {
  const saved = vi.fn(() => ({ ...ADA, email: 'ada@example.com' }));
  serve(inboxAnswers({ 'PATCH /api/v1/contacts/contact_1': saved }));
  showInbox();
  await userEvent.click(await screen.findByRole('button', { name: 'Edit the contact' }));
  const drawer = await screen.findByRole('dialog', { name: 'Edit the contact' });
  await userEvent.type(await within(drawer).findByLabelText(/^e-?mail/i), 'ada@example.com');
  await userEvent.click(within(drawer).getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(saved).toHaveBeenCalledWith({ email: 'ada@example.com' }, expect.anything()));
});

test('a message to any contact opens the conversation', async () => {
  const sent = vi.fn(() => message({ id: 'm9', conversation_id: 'conv_2' } as never));
  serve(inboxAnswers({ 'POST /api/v1/contacts/contact_2/send-message': sent }));
  const { router } = showInbox('/inbox');
  await userEvent.click(await screen.findByRole('button', { name: 'New conversation' }));
  const dialog = await screen.findByRole('dialog', { name: 'New conversation' });
  await userEvent.click(within(dialog).getByRole('combobox', { name: 'Contact' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Grace' }));
  await userEvent.click(within(dialog).getByRole('combobox', { name: 'Channel' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Web' }));
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Message' }), 'Hello');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/inbox/conv_2'));
  expect(sent).toHaveBeenCalledWith({ type: 'text', text: 'Hello', channel_id: 'chan_1' }, expect.anything());
});
