import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToastPlace } from '../components/toast';
import { toasts } from '../components/toasts';
import { message } from '../sandbox/testing';
import { type Answers, problem, serve, show } from '../settings/testing';
import { drafts, EMPTY } from './drafts';
import { Inbox } from './page';
import { conversation, inboxAnswers, WITH_GRACE as other, page } from './testing';

beforeEach(() => {
  drafts.change('conv_1', EMPTY);
});
afterEach(() => toasts.hide());

const ada = {
  id: 'contact_1',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  status: 'active',
  subscribed: true,
  identities: [],
  tags: [{ id: 'tag_1', name: 'vip', applied_at: '2026-01-01T00:00:00.000Z' }],
  custom_fields: { plan: 'gold', since: '2024-01-10', latitude: 52.520008 },
};
const grace = { ...ada, id: 'contact_2', name: 'Grace Hopper', email: null, tags: [] };
const unread = conversation({ id: 'conv_1', unread_count: 2, waiting_since: '2026-01-01T10:00:00.000Z' });
const channel = { id: 'chan_1', kind: 'sandbox', name: 'Web', capabilities: { quick_replies: 3 } };

function answers(but: Answers = {}): Answers {
  return inboxAnswers({
    'GET /api/v1/conversations': (_, { url }) =>
      url.includes('unread=true') ? page(unread) : page(unread, other),
    'GET /api/v1/conversations/conv_1': () => unread,
    'GET /api/v1/conversations/conv_1/messages': () =>
      page(
        message({ id: 'm2', text: 'With us' }),
        message({ id: 'm1', text: 'Hello', direction: 'inbound' }),
      ),
    'POST /api/v1/conversations/conv_1/read': () => ({ ...unread, unread_count: 0, version: 2 }),
    'POST /api/v1/contacts/search': () => page(ada, grace),
    'GET /api/v1/contacts/contact_1': () => ada,
    'GET /api/v1/custom-fields': () =>
      page(
        { key: 'plan', name: 'Plan', type: 'text' },
        { key: 'since', name: 'Since', type: 'date' },
        { key: 'latitude', name: 'Latitude', type: 'number' },
      ),
    'GET /api/v1/channels': () => page(channel),
    ...but,
  });
}

test('lists contacts and unread messages, and counts them in the title', async () => {
  serve(answers());
  show(<Inbox open={undefined} />);
  const row = await screen.findByRole('button', { name: /Ada Lovelace.*2 unread messages/ });
  expect(row.dataset.unread).toBe('true');
  expect((await screen.findByRole('button', { name: /Grace Hopper/ })).dataset.unread).toBeUndefined();
  await waitFor(() => expect(document.title).toBe('(1) Inbox · Acme · Tidings'));
});

test('marks an opened conversation as read, and shows the contact next to it', async () => {
  const { asked } = serve(answers());
  show(<Inbox open="conv_1" />);
  const log = await screen.findByRole('log', { name: 'Messages' });
  expect(await within(log).findByText('With us')).toBeTruthy();
  await waitFor(() => expect(asked).toContain('POST /api/v1/conversations/conv_1/read'));
  const card = screen.getByRole('complementary', { name: 'Contact' });
  expect(await within(card).findByText('gold')).toBeTruthy();
  expect(await within(card).findByText('10 Jan 2024')).toBeTruthy();
  expect(within(card).getByText('52.520008')).toBeTruthy();
  expect(within(card).getByText('vip')).toBeTruthy();
});

test('an empty view links to another one', async () => {
  serve(answers({ 'GET /api/v1/conversations': () => page() }));
  const { router } = show(<Inbox open={undefined} />, { path: '/?view=mine' });
  await screen.findByText('No conversations assigned to you');
  expect(screen.queryByText(/^curl/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show “Open”' }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});

test('the composer offers to create a saved reply if there is none', async () => {
  serve(answers({ 'GET /api/v1/saved-replies': () => page() }));
  show(<Inbox open="conv_1" />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Your reply' }), '/');
  const link = await screen.findByRole('link', { name: 'Create a saved reply' });
  expect(link.getAttribute('href')).toBe('/settings/saved-replies?create=true');
});

test('shows the subject of a mail above its text', async () => {
  const mail = { ...message({ id: 'm1', text: 'What does it cost?' }), subject: 'Order 7' };
  serve(answers({ 'GET /api/v1/conversations/conv_1/messages': () => page(mail) }));
  show(<Inbox open="conv_1" />);
  const subject = await screen.findByText('Order 7');
  expect(subject.nextSibling?.textContent).toBe('What does it cost?');
});

test('shows addresses in messages as links', async () => {
  const text = 'Your order: https://shop.example/orders/7.';
  serve(answers({ 'GET /api/v1/conversations/conv_1/messages': () => page(message({ id: 'm1', text })) }));
  show(<Inbox open="conv_1" />);
  const link = await screen.findByRole('link', { name: 'https://shop.example/orders/7' });
  expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
});

test('keeps the text after a failed send, and retries it with the same key', async () => {
  const keys: (string | null)[] = [];
  serve(
    answers({
      'POST /api/v1/conversations/conv_1/messages': (body, request) => {
        keys.push(request.headers.get('Idempotency-Key'));
        if (keys.length === 1) return problem(503, 'unavailable', 'The store is away.');
        expect(body).toEqual({ type: 'text', text: 'On its way' });
        return message({ id: 'm3', text: 'On its way' });
      },
    }),
  );
  show(<Inbox open="conv_1" />);
  const field = await screen.findByRole('textbox', { name: 'Your reply' });
  await userEvent.type(field, 'On its way');
  await userEvent.click(screen.getByRole('button', { name: /^Send Ctrl/ }));
  await screen.findByText(/Your text is still here/);
  expect((field as HTMLTextAreaElement).value).toBe('On its way');
  await userEvent.click(screen.getByRole('button', { name: /^Send again/ }));
  await waitFor(() => expect((field as HTMLTextAreaElement).value).toBe(''));
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
});

test('letter shortcuts act on the open conversation if no field has the focus', async () => {
  const resolved = vi.fn(() => ({ ...unread, status: 'resolved', version: 2 }));
  const touched = vi.fn(() => ({ ...other, status: 'resolved', version: 2 }));
  const reopened = vi.fn(() => ({ ...unread, version: 3 }));
  serve(
    answers({
      'POST /api/v1/conversations/conv_1/resolve': resolved,
      'POST /api/v1/conversations/conv_2/resolve': touched,
      'POST /api/v1/conversations/conv_1/reopen': reopened,
    }),
  );
  // The page in this test has no other conversation.
  localStorage.setItem('tidings-inbox-next-user_me', 'false');
  show(
    <>
      <Inbox open="conv_1" />
      <ToastPlace />
    </>,
  );
  await screen.findByRole('heading', { name: 'Ada Lovelace', level: 2 });
  await screen.findByRole('button', { name: /Grace Hopper/ });
  (document.activeElement as HTMLElement | null)?.blur();
  await userEvent.keyboard('j');
  expect(document.activeElement?.textContent).toContain('Grace');
  await userEvent.keyboard('e');
  await waitFor(() => expect(resolved).toHaveBeenCalledTimes(1));
  expect(touched).not.toHaveBeenCalled();
  await screen.findByText('Conversation with Ada Lovelace resolved');
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(reopened).toHaveBeenCalledTimes(1));
  await screen.findByText('Undone');
});

test('letter shortcuts do nothing if no conversation is open', async () => {
  const { asked } = serve(answers());
  show(<Inbox open={undefined} />);
  (await screen.findByRole('button', { name: /Ada Lovelace/ })).focus();
  await userEvent.keyboard('ea');
  expect(asked.filter((it) => /\/(resolve|assign)$/.test(it))).toEqual([]);
});

test('letters are text in the composer, and Escape leaves it', async () => {
  const { asked } = serve(answers());
  show(<Inbox open="conv_1" />);
  const log = await screen.findByRole('log', { name: 'Messages' });
  await screen.findByRole('textbox', { name: 'Your reply' });
  await userEvent.keyboard('n');
  const note = await screen.findByRole('textbox', { name: 'Your note' });
  await waitFor(() => expect(document.activeElement).toBe(note));
  await userEvent.keyboard('era?');
  expect((note as HTMLTextAreaElement).value).toBe('era?');
  await userEvent.keyboard('{Escape}');
  expect(document.activeElement).toBe(log);
  expect((note as HTMLTextAreaElement).value).toBe('era?');
  expect(asked.filter((it) => /\/(resolve|assign)$/.test(it))).toEqual([]);
});

test('the question mark lists the shortcuts, which are disabled while the list is open', async () => {
  const { asked } = serve(answers());
  show(<Inbox open="conv_1" />);
  await screen.findByRole('textbox', { name: 'Your reply' });
  await userEvent.keyboard('?');
  const help = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(within(help).getByText('Resolve or reopen')).toBeTruthy();
  await userEvent.keyboard('e');
  expect(asked.filter((it) => it.endsWith('/resolve'))).toEqual([]);
});

test('a member takes over from the bot', async () => {
  const bot = { ...unread, unread_count: 0, handler: 'bot', status: 'pending' };
  const assigned = vi.fn(() => ({ ...bot, handler: 'human', status: 'open', version: 2 }));
  serve(
    answers({
      'GET /api/v1/conversations/conv_1': () => bot,
      'GET /api/v1/conversations': () => page(bot),
      'POST /api/v1/conversations/conv_1/assign': assigned,
    }),
  );
  show(<Inbox open="conv_1" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Take over' }));
  await waitFor(() => expect(assigned).toHaveBeenCalledWith({ assignee_id: 'user_me' }, expect.anything()));
});

test('a viewer reads a conversation without actions', async () => {
  const { asked } = serve(answers());
  show(<Inbox open="conv_1" />, { role: 'viewer' });
  await screen.findByText('You can read this conversation. Only members can reply.');
  expect(screen.queryByRole('button', { name: 'Resolve' })).toBeNull();
  expect(asked).not.toContain('POST /api/v1/conversations/conv_1/read');
});

test('offers saved replies of all pages by name', async () => {
  const reply = (name: string) => ({ id: `reply_${name}`, name, text: name });
  serve(
    answers({
      'GET /api/v1/saved-replies': (_, { url }) =>
        new URL(url).searchParams.has('cursor')
          ? page(reply('Apology'))
          : { data: [reply('Greeting')], next_cursor: 'more' },
    }),
  );
  show(<Inbox open="conv_1" />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Your reply' }), '/');
  const options = await screen.findAllByRole('option');
  expect(options.map((it) => it.querySelector('b')?.textContent)).toEqual(['Apology', 'Greeting']);
});

test('fills in a saved reply for the contact', async () => {
  const template = 'Dear {{ contact.first_name }}';
  serve(
    answers({
      'GET /api/v1/saved-replies': () => page({ id: 'reply_1', name: 'Greeting', text: template }),
      'POST /api/v1/templates/render': (body) => {
        expect(body).toEqual({ template, contact_id: 'contact_1' });
        return { text: 'Dear Ada', unknown_names: [] };
      },
    }),
  );
  show(<Inbox open="conv_1" />);
  const field = await screen.findByRole('textbox', { name: 'Your reply' });
  await userEvent.type(field, '/');
  await userEvent.click(await screen.findByRole('option', { name: /Greeting/ }));
  await waitFor(() => expect((field as HTMLTextAreaElement).value).toBe('Dear Ada'));
});
