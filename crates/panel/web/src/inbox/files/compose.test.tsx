import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inLanguage } from '../../i18n/testing';
import { message } from '../../sandbox/testing';
import { type Answers, problem, serve, show } from '../../settings/testing';
import { drafts, EMPTY } from '../drafts';
import { Inbox } from '../page';
import { inboxAnswers } from '../testing';
import { catchUploads, stored } from './testing';
import { uploads } from './uploads';
import { MAX_BYTES } from './use-picked';

const MESSAGES = 'POST /api/v1/conversations/conv_1/messages';

beforeEach(() => {
  drafts.change('conv_1', EMPTY);
});

afterEach(() => {
  for (const { key } of drafts.of('conv_1').files) uploads.remove('conv_1', key);
});

const file = (name: string) => new File(['abc'], name);

/** Opens a conversation. Returns its field and the input of the file dialog. */
async function compose(answers: Answers = {}) {
  const begun = catchUploads();
  const { asked } = serve(inboxAnswers(answers));
  show(<Inbox open="conv_1" />);
  const field = (await screen.findByRole('textbox', { name: 'Your reply' })) as HTMLTextAreaElement;
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
  return { begun, asked, field, input };
}

const sendButton = () => screen.getByRole('button', { name: /^Send Ctrl/ }) as HTMLButtonElement;
const finish = (end: () => void) => act(async () => end());

test('sends files without a text, after both are uploaded', async () => {
  const bodies: unknown[] = [];
  const { begun, input } = await compose({
    [MESSAGES]: (body) => {
      bodies.push(body);
      return message({ id: 'm9', type: 'image', text: null });
    },
  });
  await userEvent.upload(input, [file('cat.png'), file('dog & co.png')]);
  expect(screen.getByRole('list', { name: 'Attached files' }).children.length).toBe(2);
  expect(sendButton().disabled).toBe(true);
  await waitFor(() => expect(begun.length).toBe(1));
  expect(begun[0]?.headers).toMatchObject({ 'X-Workspace-Id': 'ws_live', Authorization: 'Bearer token' });
  await finish(() => begun[0]?.progress(0.4));
  const bar = screen.getByRole('progressbar', { name: 'Upload of cat.png' });
  expect(bar.getAttribute('aria-valuenow')).toBe('40');
  await finish(() => begun[0]?.answer(201, stored('media_1', 'cat.png', 'image/png')));
  await waitFor(() => expect(begun.length).toBe(2));
  expect(begun[1]?.path).toBe('POST /api/v1/media?name=dog%20%26%20co.png');
  await finish(() => begun[1]?.answer(201, stored('media_2', 'dog & co.png', 'image/png')));
  await waitFor(() => expect(sendButton().disabled).toBe(false));
  await userEvent.click(sendButton());
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Attached files' })).toBeNull());
  const attachments = [{ media_id: 'media_1' }, { media_id: 'media_2' }];
  expect(bodies).toEqual([{ type: 'image', attachments }]);
});

test('refuses a file that is too large, and more than ten files, before the upload', async () => {
  const { begun, input } = await compose();
  const large = file('film.mp4');
  Object.defineProperty(large, 'size', { value: MAX_BYTES + 1 });
  await userEvent.upload(input, [large, new File([], 'empty.txt')]);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('film.mp4 was not attached: it has 26.2 MB');
  expect(alert.textContent).toContain('empty.txt was not attached');
  expect(begun).toEqual([]);
  await userEvent.upload(
    input,
    Array.from({ length: 11 }, (_, at) => file(`${at}.txt`)),
  );
  expect((await screen.findByRole('alert')).textContent).toContain('at most 10 files');
  expect(screen.getByRole('list', { name: 'Attached files' }).children.length).toBe(10);
  expect((screen.getByRole('button', { name: 'Attach files' }) as HTMLButtonElement).disabled).toBe(true);
});

test('a lost connection keeps the file and the text, and the upload is tried again under the same key', async () => {
  const { begun, field, input } = await compose();
  await userEvent.type(field, 'The bill');
  await userEvent.upload(input, file('bill.pdf'));
  await waitFor(() => expect(begun.length).toBe(1));
  await finish(() => begun[0]?.lose());
  expect((await screen.findByRole('alert')).textContent).toContain('cannot be reached');
  expect(field.value).toBe('The bill');
  expect(sendButton().disabled).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Upload bill.pdf again' }));
  await waitFor(() => expect(begun.length).toBe(2));
  expect(begun[1]?.headers['Idempotency-Key']).toBe(begun[0]?.headers['Idempotency-Key']);
  await finish(() => begun[1]?.answer(201, stored('media_1', 'bill.pdf', 'application/pdf')));
  await waitFor(() => expect(sendButton().disabled).toBe(false));
});

test('the browser asks before a reload cancels an upload', async () => {
  const { begun, input } = await compose();
  const leaves = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(leaves()).toBe(true);
  await userEvent.upload(input, file('cat.png'));
  await waitFor(() => expect(begun.length).toBe(1));
  expect(leaves()).toBe(false);
  await finish(() => begun[0]?.answer(201, stored('media_1', 'cat.png', 'image/png')));
  await waitFor(() => expect(leaves()).toBe(true));
});

test('does not upload a removed file', async () => {
  const { begun, input } = await compose();
  await userEvent.upload(input, [file('a.txt'), file('b.txt')]);
  await waitFor(() => expect(begun.length).toBe(1));
  await userEvent.click(screen.getByRole('button', { name: 'Remove b.txt' }));
  await userEvent.click(screen.getByRole('button', { name: 'Remove a.txt' }));
  expect(begun[0]?.isAborted).toBe(true);
  expect(screen.queryByRole('list', { name: 'Attached files' })).toBeNull();
  await userEvent.upload(input, file('c.txt'));
  await waitFor(() => expect(begun.map((it) => it.path)).toContain('POST /api/v1/media?name=c.txt'));
  expect(begun.length).toBe(2);
});

test('shows in German why a file was not uploaded, and why a message was not sent', async () => {
  await inLanguage('de', async () => {
    const begun = catchUploads();
    const rejected = problem(409, 'no_public_url', 'No public URL.');
    serve(inboxAnswers({ [MESSAGES]: () => rejected }));
    show(<Inbox open="conv_1" />);
    await screen.findByRole('textbox', { name: 'Ihre Antwort' });
    const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
    await userEvent.upload(input, [file('a.txt'), file('b.txt')]);
    await waitFor(() => expect(begun.length).toBe(1));
    await finish(() => begun[0]?.answer(409, { code: 'media_quota', detail: 'Full.' }));
    await screen.findByText(/Der Tarif hat keinen Platz/);
    await userEvent.click(screen.getByRole('button', { name: 'a.txt entfernen' }));
    await waitFor(() => expect(begun.length).toBe(2));
    await finish(() => begun[1]?.answer(201, stored('media_2', 'b.txt', 'application/octet-stream')));
    await userEvent.click(screen.getByRole('button', { name: /^Senden Strg/ }));
    await screen.findByText(/kann keine Dateien von diesem Server laden/);
    await userEvent.click(screen.getByRole('button', { name: 'b.txt entfernen' }));
    expect(screen.queryByText(/kann keine Dateien/)).toBeNull();
  });
});

test('attaches dropped and pasted files, but not to a note', async () => {
  const { begun, field } = await compose();
  const data = (...files: File[]) => ({ types: ['Files'], files, items: [] });
  fireEvent.dragOver(document.body, { dataTransfer: data() });
  expect(field.placeholder).toBe('Drop files to attach them');
  fireEvent.drop(document.body, { dataTransfer: data(file('a.txt')) });
  fireEvent.paste(field, { clipboardData: data(file('b.txt')) });
  fireEvent.paste(field, { clipboardData: { ...data(file('c.txt')), types: ['text/plain', 'Files'] } });
  const list = await screen.findByRole('list', { name: 'Attached files' });
  expect([...list.children].map((it) => it.querySelector('span')?.textContent)).toEqual(['a.txt', 'b.txt']);
  await waitFor(() => expect(begun.length).toBe(1));
  await userEvent.click(screen.getByRole('radio', { name: 'Note' }));
  expect(screen.queryByRole('list', { name: 'Attached files' })).toBeNull();
  fireEvent.drop(document.body, { dataTransfer: data(file('d.txt')) });
  await screen.findByText(/A note cannot have files/);
});

test('a viewer cannot attach files, and a dropped file does not replace the page', async () => {
  const begun = catchUploads();
  serve(inboxAnswers());
  show(<Inbox open="conv_1" />, { role: 'viewer' });
  await screen.findByText(/Only members can reply/);
  const isDefault = fireEvent.drop(document.body, {
    dataTransfer: { types: ['Files'], files: [file('a.txt')], items: [] },
  });
  expect(isDefault).toBe(false);
  expect(begun).toEqual([]);
  expect(drafts.of('conv_1').files).toEqual([]);
});

test('a saved reply attaches its files', async () => {
  const bodies: unknown[] = [];
  const attachments = [
    { media_id: 'media_1', url: '/api/v1/media/media_1', name: 'cat.png', mime_type: 'image/png' },
    { url: 'https://a.example/1', name: null, mime_type: null },
  ];
  const reply = { id: 'reply_1', name: 'Cats', text: 'Here they are', attachments };
  const { field } = await compose({
    'GET /api/v1/saved-replies': () => ({ data: [reply], next_cursor: null }),
    'POST /api/v1/templates/render': () => ({ text: 'Here they are', unknown_names: [] }),
    [MESSAGES]: (body) => {
      bodies.push(body);
      return message({ id: 'm9', type: 'file', text: 'Here they are' });
    },
  });
  await userEvent.type(field, '/');
  await userEvent.click(await screen.findByRole('option', { name: /Cats/ }));
  const list = await screen.findByRole('list', { name: 'Attached files' });
  const names = [...list.children].map((it) => it.querySelector('span')?.textContent);
  expect(names).toEqual(['cat.png', 'https://a.example/1']);
  await userEvent.click(sendButton());
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Attached files' })).toBeNull());
  const sent = [{ media_id: 'media_1' }, { url: 'https://a.example/1' }];
  expect(bodies).toEqual([{ type: 'file', text: 'Here they are', attachments: sent }]);
});
