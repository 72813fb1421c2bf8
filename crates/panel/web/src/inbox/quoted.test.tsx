import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import type { Message } from '../sandbox/messages';
import { message } from '../sandbox/testing';
import { type Answers, problem, serve, show } from '../settings/testing';
import { drafts, EMPTY } from './drafts';
import { Inbox } from './page';
import { inboxAnswers, page } from './testing';

const MESSAGES = '/api/v1/conversations/conv_1/messages';
const CHANNELS = 'GET /api/v1/channels';

beforeEach(() => {
  drafts.change('conv_1', { ...EMPTY, replyTo: undefined });
});

const asked = message({ id: 'm1', direction: 'inbound', status: 'received', text: 'Green or black tea?' });
const telegram = () =>
  page({ id: 'chan_1', kind: 'telegram', name: 'Bot', capabilities: { quick_replies: 3 } });

/** Opens a conversation with these messages, and returns its thread. */
async function open(messages: Message[], answers: Answers = {}, role: 'owner' | 'viewer' = 'owner') {
  serve(inboxAnswers({ [`GET ${MESSAGES}`]: () => page(...messages), ...answers }));
  show(<Inbox open="conv_1" />, { role });
  return within(await screen.findByRole('log', { name: 'Messages' }));
}

const REPLY = { name: 'Reply to this message' };
const composer = () => within(screen.getByRole('form', { name: 'Composer' }));

test('a reply quotes the selected message', async () => {
  const bodies: unknown[] = [];
  const thread = await open([asked], {
    [`POST ${MESSAGES}`]: (body) => {
      bodies.push(body);
      return message({ id: 'm9', text: 'Black', reply_to: 'm1' });
    },
  });
  await userEvent.click(await thread.findByRole('button', REPLY));
  expect(composer().getByText('Reply to: “Green or black tea?”')).toBeTruthy();
  const field = screen.getByRole('textbox', { name: 'Your reply' });
  await waitFor(() => expect(document.activeElement).toBe(field));
  await userEvent.type(field, 'Black{Control>}{Enter}{/Control}');
  await waitFor(() => expect(bodies).toEqual([{ type: 'text', text: 'Black', reply_to: 'm1' }]));
  await waitFor(() => expect(composer().queryByText(/Reply to:/)).toBeNull());
  expect(await thread.findByText('Answers: “Green or black tea?”')).toBeTruthy();
});

test('removes the quote with its button, and with Escape', async () => {
  const thread = await open([asked]);
  const button = await thread.findByRole('button', REPLY);
  const field = screen.getByRole('textbox', { name: 'Your reply' });
  await userEvent.click(button);
  await userEvent.click(composer().getByRole('button', { name: 'Remove the quote' }));
  expect(composer().queryByText(/Reply to:/)).toBeNull();
  expect(document.activeElement).toBe(field);
  await userEvent.click(button);
  await userEvent.type(field, 'Black{Escape}');
  expect(composer().queryByText(/Reply to:/)).toBeNull();
  expect(document.activeElement).toBe(field);
  expect(drafts.of('conv_1')).toEqual({ ...EMPTY, text: 'Black', replyTo: undefined });
  await userEvent.keyboard('{Escape}');
  expect(document.activeElement).toBe(screen.getByRole('log', { name: 'Messages' }));
});

test('members can quote only messages that the contact knows', async () => {
  const at = asked.created_at;
  const others = [
    message({ id: 'm2', type: 'note', private: true, status: 'noted', text: 'A note' }),
    message({ id: 'm3', status: 'failed', text: 'Failed' }),
    message({ id: 'm4', direction: 'inbound', status: 'received', text: null, deleted_by_contact_at: at }),
  ];
  const thread = await open([asked, message({ id: 'm5', text: 'Delivered' }), ...others]);
  expect(await thread.findAllByRole('button', REPLY)).toHaveLength(2);
});

test('a viewer cannot quote a message', async () => {
  const thread = await open([asked], {}, 'viewer');
  expect(await thread.findByText('Green or black tea?')).toBeTruthy();
  expect(thread.queryByRole('button', REPLY)).toBeNull();
});

test('the composer says if the contact does not see the quote', async () => {
  const unseen = 'The contact does not see the quote on this channel.';
  const thread = await open([asked]);
  await userEvent.click(await thread.findByRole('button', REPLY));
  expect(await composer().findByText(unseen)).toBeTruthy();
});

test('a channel with quotes has no hint, and a note has no quote, in German', async () => {
  await inLanguage('de', async () => {
    serve(inboxAnswers({ [`GET ${MESSAGES}`]: () => page(asked), [CHANNELS]: telegram }));
    show(<Inbox open="conv_1" />);
    await userEvent.click(await screen.findByRole('button', { name: 'Auf diese Nachricht antworten' }));
    expect(await screen.findByText('Antwort auf: „Green or black tea?“')).toBeTruthy();
    // The button appears when the channels are loaded.
    await screen.findByRole('button', { name: 'Antwortvorschläge' });
    expect(screen.queryByText(/sieht das Zitat/)).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: 'Notiz' }));
    expect(screen.queryByText(/Antwort auf:/)).toBeNull();
  });
});

test('shows the error of a rejected quote until another message is selected', async () => {
  const other = message({ id: 'm2', direction: 'inbound', status: 'received', text: 'With milk?' });
  const refused = 'No message has this ID.';
  const unknown = [{ pointer: '/reply_to', code: 'unknown_message', message: 'no message has this ID' }];
  const thread = await open([asked, other], {
    [`POST ${MESSAGES}`]: () => problem(422, 'validation_failed', 'The body is not valid.', unknown),
  });
  const [first, second] = await thread.findAllByRole('button', REPLY);
  await userEvent.click(first as HTMLElement);
  await userEvent.type(screen.getByRole('textbox', { name: 'Your reply' }), 'Yes{Control>}{Enter}{/Control}');
  expect(await composer().findByText(refused)).toBeTruthy();
  await userEvent.click(second as HTMLElement);
  expect(composer().getByText('Reply to: “With milk?”')).toBeTruthy();
  expect(composer().queryByText(refused)).toBeNull();
});
