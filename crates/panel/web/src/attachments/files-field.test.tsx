import { useNavigate } from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { GuardedDrawer } from '../components/guarded';
import { LeaveGuard } from '../components/leave-guard';
import { SubmitForm } from '../components/submit-form';
import { toasts } from '../components/toasts';
import { inLanguage } from '../i18n/testing';
import { catchUploads, seeAll, stored } from '../inbox/files/testing';
import { serve, show } from '../settings/testing';
import type { Attached } from './attached';
import { FilesField } from './files-field';
import { typeWith } from './message-type';

const CAT: Attached = { media_id: 'media_1', name: 'cat.png', mime_type: 'image/png' };
const file = (name: string) => new File(['abc'], name);
const input = () => document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
const finish = (end: () => void) => act(async () => end());

function Form({ first, note }: { first: Attached[]; note: (value: Attached[]) => void }) {
  const [value, setValue] = useState(first);
  const change = (next: Attached[]) => {
    note(next);
    setValue(next);
  };
  const [isSaved, save] = useState(false);
  return (
    <SubmitForm onSubmit={() => save(true)}>
      <FilesField value={value} onChange={change}>
        <textarea aria-label="Text" />
      </FilesField>
      <button type="submit">Save</button>
      {isSaved && 'Saved'}
    </SubmitForm>
  );
}

/** Shows the field. Returns its uploads, and the values after each change. */
async function field(first: Attached[] = []) {
  const begun = catchUploads();
  seeAll();
  const values: Attached[][] = [];
  serve({
    'GET /api/v1/media/media_1': () => new Response('x', { headers: { 'Content-Type': 'image/png' } }),
    'HEAD /api/v1/media/media_2': () => new Response(null, { headers: { 'Content-Length': '3' } }),
  });
  show(<Form first={first} note={(value) => values.push(value)} />);
  await screen.findByRole('button', { name: /^(Add file|Datei hinzufügen)$/ });
  return { begun, values };
}

test('uploads files one after another, and shows their progress and a preview', async () => {
  const { begun, values } = await field();
  await userEvent.upload(input(), [file('cat.png'), file('list.txt')]);
  await waitFor(() => expect(begun.length).toBe(1));
  expect(begun[0]?.headers).toMatchObject({ 'X-Workspace-Id': 'ws_live' });
  await finish(() => begun[0]?.progress(0.4));
  const bar = screen.getByRole('progressbar', { name: 'Upload of cat.png' });
  expect(bar.getAttribute('aria-valuenow')).toBe('40');
  await finish(() => begun[0]?.answer(201, stored('media_1', 'cat.png', 'image/png')));
  await waitFor(() => expect(begun.length).toBe(2));
  expect(await screen.findByRole('img', { name: 'cat.png' })).toBeTruthy();
  await finish(() => begun[1]?.answer(201, stored('media_2', 'list.txt', 'text/plain')));
  const list = { media_id: 'media_2', name: 'list.txt', mime_type: 'text/plain' };
  await waitFor(() => expect(values).toEqual([[CAT], [CAT, list]]));
});

test('removes a file', async () => {
  const { values } = await field([CAT, { url: 'https://a.example/1' }]);
  expect(screen.getByRole('link', { name: 'Attachment' }).getAttribute('href')).toBe('https://a.example/1');
  await userEvent.click(screen.getByRole('button', { name: 'Remove cat.png' }));
  expect(values).toEqual([[{ url: 'https://a.example/1' }]]);
});

test('retries a failed upload under the same key, and cancels one', async () => {
  const { begun, values } = await field();
  await userEvent.upload(input(), file('cat.png'));
  await waitFor(() => expect(begun.length).toBe(1));
  await finish(() => begun[0]?.answer(409, { code: 'media_quota', status: 409, title: 'Full' }));
  expect((await screen.findByRole('alert')).textContent).toContain('no space for more files');
  await userEvent.click(screen.getByRole('button', { name: /cat.png again/ }));
  await waitFor(() => expect(begun.length).toBe(2));
  expect(begun[1]?.headers['Idempotency-Key']).toBe(begun[0]?.headers['Idempotency-Key']);
  await userEvent.click(screen.getByRole('button', { name: 'Remove cat.png' }));
  expect(begun[1]?.isAborted).toBe(true);
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(values).toEqual([]);
});

test('refuses more than ten files, and cancels uploads when it closes', async () => {
  const { begun } = await field(Array.from({ length: 9 }, (_, at) => ({ url: `https://a.example/${at}` })));
  await userEvent.upload(input(), [file('a.txt'), file('b.txt')]);
  expect((await screen.findByRole('alert')).textContent).toContain('at most 10 files');
  await waitFor(() => expect(begun.length).toBe(1));
  cleanup();
  expect(begun[0]?.isAborted).toBe(true);
  expect(toasts.snapshot()?.text).toBe('The upload of 1 file was cancelled');
});

test('a drawer asks before it closes during an upload, and not after it failed', async () => {
  const begun = catchUploads();
  const onClose = vi.fn();
  serve({});
  show(
    <GuardedDrawer opened onClose={onClose} title="Message">
      <Form first={[]} note={() => undefined} />
    </GuardedDrawer>,
  );
  await screen.findByRole('button', { name: 'Add file' });
  await userEvent.upload(input(), file('cat.png'));
  await waitFor(() => expect(begun.length).toBe(1));
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await screen.findByRole('dialog', { name: 'Cancel the upload?' });
  await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(begun[0]?.isAborted).toBe(false);
  expect(onClose).not.toHaveBeenCalled();
  await finish(() => begun[0]?.answer(409, { code: 'media_quota', status: 409, title: 'Full' }));
  await screen.findByText(/no space for more files/);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Cancel the upload?' })).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

function PageWithForm() {
  const navigate = useNavigate();
  return (
    <>
      <Form first={[]} note={() => undefined} />
      <LeaveGuard unsaved={false} />
      <button type="button" onClick={() => void navigate({ to: '/login' as never })}>
        Go to another page
      </button>
    </>
  );
}

test('a page asks before it is left during an upload', async () => {
  const begun = catchUploads();
  serve({});
  show(<PageWithForm />);
  await screen.findByRole('button', { name: 'Add file' });
  await userEvent.upload(input(), file('cat.png'));
  await waitFor(() => expect(begun.length).toBe(1));
  await userEvent.click(screen.getByRole('button', { name: 'Go to another page' }));
  expect(await screen.findByText(/the upload is cancelled/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(begun[0]?.isAborted).toBe(true));
});

test('uploads dropped and pasted files', async () => {
  const { begun } = await field();
  const data = (name: string) => ({ types: ['Files'], files: [file(name)], items: [] });
  const text = screen.getByRole('textbox', { name: 'Text' });
  fireEvent.dragOver(document.body, { dataTransfer: data('a.txt') });
  expect(screen.getByText('Drop files to attach them')).toBeTruthy();
  fireEvent.drop(document.body, { dataTransfer: data('a.txt') });
  expect(screen.queryByText('Drop files to attach them')).toBeNull();
  fireEvent.paste(text, { clipboardData: data('b.txt') });
  fireEvent.paste(text, { clipboardData: { ...data('c.txt'), types: ['text/plain', 'Files'] } });
  expect(screen.getAllByRole('progressbar').map((it) => it.getAttribute('aria-label'))).toEqual([
    'Upload of a.txt',
    'Upload of b.txt',
  ]);
  await waitFor(() => expect(begun[0]?.path).toBe('POST /api/v1/media?name=a.txt'));
});

test('is saved only after the uploads', async () => {
  const { begun } = await field();
  await userEvent.upload(input(), file('cat.png'));
  await waitFor(() => expect(begun.length).toBe(1));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Wait until all files are uploaded.');
  expect(screen.queryByText('Saved')).toBeNull();
  await finish(() => begun[0]?.answer(201, stored('media_1', 'cat.png', 'image/png')));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Saved')).toBeTruthy();
});

test('the type of a message changes only if it cannot contain the files', () => {
  const text = { media_id: 'media_2', mime_type: 'text/plain' };
  const atUrl = { url: 'https://a.example/1' };
  expect(typeWith('text', [CAT])).toBe('image');
  expect(typeWith('text', [CAT, text])).toBe('file');
  expect(typeWith('image', [CAT, atUrl])).toBe('image');
  expect(typeWith('image', [CAT, text])).toBe('file');
  expect(typeWith('file', [CAT])).toBe('file');
  expect(typeWith('video', [])).toBe('text');
  expect(typeWith('card', [])).toBe('card');
  expect(typeWith('card', [text])).toBe('card');
});

test('is in German, too', async () => {
  await inLanguage('de', async () => {
    await field([CAT]);
    expect(screen.getByRole('button', { name: 'Datei hinzufügen' })).toBeTruthy();
  });
});
