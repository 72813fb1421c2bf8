import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import type { Message } from '../sandbox/messages';
import { message } from '../sandbox/testing';
import { serve, show } from '../settings/testing';
import { InboxPage } from './page';
import { inboxAnswers, page } from './testing';

test('links a file at a URL', async () => {
  const attachments = [{ url: 'https://files.example/cat.png', name: 'cat.png', mime_type: null }];
  const received = message({ id: 'm1', direction: 'inbound', type: 'file', text: null, attachments });
  serve(inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': () => page(received) }));
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  const thread = within(await screen.findByRole('log', { name: 'Messages' }));
  expect((await thread.findByRole('link', { name: 'cat.png' })).getAttribute('href')).toBe(
    'https://files.example/cat.png',
  );
});

test('marks an automatic message', async () => {
  const away = { ...message({ id: 'm1', direction: 'inbound', text: 'I am away' }), auto: true };
  const person = message({ id: 'm2', direction: 'inbound', text: 'I am back' });
  serve(inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': () => page(away, person) }));
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  const thread = within(await screen.findByRole('log', { name: 'Messages' }));
  expect(await thread.findAllByText(/Automatic message/)).toHaveLength(1);
});

test('marks an unverified sender, and links to the channel if there is no check', async () => {
  const forged = { ...message({ id: 'm1', direction: 'inbound', text: 'Pay now' }), sender_verified: false };
  const ours = message({ id: 'm2', text: 'Who are you?' });
  const checked = { ...message({ id: 'm3', direction: 'inbound', text: 'Ada' }), sender_verified: true };
  const open = message({
    id: 'm4',
    direction: 'inbound',
    text: 'Bo',
    channel_id: 'chan_m',
    sender_verified: null,
  });
  const all = () => page(forged, ours, checked, { ...ours, id: 'm5' }, open);
  serve(inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': all }));
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  const thread = within(await screen.findByRole('log', { name: 'Messages' }));
  expect(await thread.findAllByText(/Sender not verified/)).toHaveLength(1);
  const [button, ...others] = thread.getAllByRole('button', { name: 'Sender not checked' });
  expect(others).toEqual([]);
  expect(screen.queryByText(/Name of the receiving server/)).toBeNull();
  button?.focus();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByText(/Name of the receiving server/)).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Open the channel' });
  expect(link.getAttribute('href')).toContain('channel=chan_m');
});

test('shows subjects above mails of several threads', async () => {
  const mail = (id: string, thread: Message['thread']) =>
    message({ id, direction: 'inbound', text: id, thread });
  const order = { id: 'm1', subject: 'Order 7' };
  const mails = [mail('m1', order), mail('m2', { id: 'm2', subject: null }), mail('m3', order)];
  const open = async (log: string) => {
    serve(inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': () => page(...mails) }));
    show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
    return within(await screen.findByRole('log', { name: log }));
  };
  const thread = await open('Messages');
  expect(await thread.findAllByText('Subject: Order 7')).toHaveLength(2);
  expect(thread.getAllByText('Email without a subject')).toHaveLength(1);
  cleanup();
  await inLanguage('de', async () => {
    const german = await open('Nachrichten');
    expect(await german.findAllByText('Betreff: Order 7')).toHaveLength(2);
    expect(german.getAllByText('E-Mail ohne Betreff')).toHaveLength(1);
  });
});

test('marks a truncated text', async () => {
  const long = message({ id: 'm1', direction: 'inbound', text: 'Once upon a time', truncated: true });
  const short = message({ id: 'm2', direction: 'inbound', text: 'Hi' });
  serve(inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': () => page(long, short) }));
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  const thread = within(await screen.findByRole('log', { name: 'Messages' }));
  expect(await thread.findAllByText(/Only its beginning is stored/)).toHaveLength(1);
});

test('shows a different address for replies', async () => {
  const said = { ...message({ id: 'm1', direction: 'inbound' }), answers_to: 'other@example.com' };
  serve(inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': () => page(said) }));
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  const thread = within(await screen.findByRole('log', { name: 'Messages' }));
  expect(await thread.findByText('Your answer goes to other@example.com.')).toBeTruthy();
});

test('a message in parts names the part that was not sent', async () => {
  const part = { index: 0, kind: 'text' as const, provider_message_id: '7', error: null, sent_at: null };
  const error = { code: 'stopped', message: 'Part 2 of 3: the contact is unsubscribed', part: 1 };
  const parts = [
    { ...part, status: 'sent' as const },
    { ...part, index: 1, status: 'failed' as const, error },
    { ...part, index: 2, status: 'pending' as const },
  ];
  const stopped = message({ id: 'm1', status: 'failed', error, parts });
  serve(inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': () => page(stopped) }));
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  const thread = within(await screen.findByRole('log', { name: 'Messages' }));
  expect(await thread.findByText('1 of 3 parts was sent. Part 2 failed.')).toBeTruthy();
});

test('a reply quotes the original message', async () => {
  const asked = message({ id: 'm1', text: 'Green or black tea?' });
  const said = { ...message({ id: 'm2', direction: 'inbound', text: 'Black' }), reply_to: 'm1' };
  const late = { ...message({ id: 'm3', direction: 'inbound', text: 'Thanks' }), reply_to: 'm0' };
  serve(inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': () => page(asked, said, late) }));
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  const thread = within(await screen.findByRole('log', { name: 'Messages' }));
  expect(await thread.findAllByText('Answers: “Green or black tea?”')).toHaveLength(1);
  expect(thread.getAllByText('Answers an earlier message')).toHaveLength(1);
});

test('shows the code of a provider error', async () => {
  const error = { code: 'unreachable', message: 'Meta answered 400.', provider_code: '131026' };
  const refused = message({ id: 'm1', text: 'Hi', status: 'failed', error });
  const paused = { code: 'stopped', message: 'Paused' };
  const stopped = message({ id: 'm2', text: 'Hi', status: 'failed', error: paused });
  const closed = { code: 'window_closed', message: 'Too late', provider_code: '131047' };
  const late = message({ id: 'm3', text: 'Hi', status: 'suppressed', error: closed });
  serve(inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': () => page(refused, stopped, late) }));
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  const thread = within(await screen.findByRole('log', { name: 'Messages' }));
  expect(await thread.findAllByText(/Error code of the provider/)).toHaveLength(2);
  expect(thread.getByText('Error code of the provider: 131026')).toBeTruthy();
  const unsent = thread.getByText(/^Not sent: .*Error code of the provider: 131047$/);
  expect(within(unsent).getByRole('time').textContent).toMatch(/^· \d+:\d\d/);
});

test('shows replacements by the channel, and the segments', async () => {
  const degraded = [
    { what: 'quick_replies' as const, to: 'numbered_lines' as const, reason: 'the channel has no buttons' },
    { what: 'attachment' as const, to: 'link' as const, reason: 'the channel cannot send this file' },
  ];
  const segments = { encoding: 'gsm7' as const, count: 2 };
  const plain = message({ id: 'm1', text: 'Plain' });
  const replaced = message({ id: 'm2', text: 'Which?', degraded, segments });
  serve(inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': () => page(plain, replaced) }));
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  const thread = within(await screen.findByRole('log', { name: 'Messages' }));
  expect(await thread.findByText('Plain')).toBeTruthy();
  const shown = thread.getAllByText(/as numbered lines|SMS segment/).map((it) => it.textContent);
  expect(shown).toEqual(['Quick replies as numbered lines · Files as links · 2 SMS segments']);
});

test('shows that the contact selected a quick reply', async () => {
  const choice = { title: 'Blue', payload: 'b', message_id: 'm0' };
  const chosen = message({ id: 'm1', direction: 'inbound', text: 'Blue', choice });
  serve(inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': () => page(chosen) }));
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  const thread = within(await screen.findByRole('log', { name: 'Messages' }));
  expect(await thread.findByText('Blue')).toBeTruthy();
  expect(thread.getByText('Chosen quick reply')).toBeTruthy();
});

test('a message shows its origin, the reactions and the earlier texts', async () => {
  const at = '2026-01-01T00:01:00.000Z';
  const referral = { source: 'start_link', ref: 'spring', url: null, ad_id: null, headline: null };
  const said = message({
    id: 'm1',
    direction: 'inbound',
    text: 'Hello, all',
    referral,
    edits: [
      { text: 'Hello', at },
      { text: null, at },
    ],
    edited_at: at,
    reactions: [{ emoji: '👍', at }],
  });
  const deleted = message({ id: 'm2', direction: 'inbound', text: null, deleted_by_contact_at: at });
  serve(inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': () => page(said, deleted) }));
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  const thread = within(await screen.findByRole('log', { name: 'Messages' }));
  expect(await thread.findByText('Hello, all')).toBeTruthy();
  expect(thread.getByText('Came by a start link · spring')).toBeTruthy();
  expect(thread.getByRole('list', { name: 'Reactions of the contact' }).textContent).toMatch(/^👍 .*2026/);
  expect(thread.getByText('Edited by the contact')).toBeTruthy();
  const earlier = within(thread.getByLabelText('Earlier texts')).getAllByRole('listitem', { hidden: true });
  expect(earlier[0]?.textContent).toMatch(/^Hello .*2026/);
  expect(earlier[1]?.textContent).toMatch(/^Message without text .*2026/);
  expect(thread.getByText('Deleted by the contact')).toBeTruthy();
});
