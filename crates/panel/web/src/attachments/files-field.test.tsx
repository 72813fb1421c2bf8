import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { catchUploads, seeAll, stored } from '../inbox/files/testing';
import { serve, show } from '../settings/testing';
import type { Attached } from './attached';
import { FilesField } from './files-field';

const CAT: Attached = { media_id: 'media_1', name: 'cat.png', mime_type: 'image/png' };
const file = (name: string) => new File(['abc'], name);
const input = () => document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
const finish = (end: () => void) => act(async () => end());

afterEach(() => vi.unstubAllGlobals());

function Form({ first, note }: { first: Attached[]; note: (value: Attached[]) => void }) {
  const [value, setValue] = useState(first);
  const change = (next: Attached[]) => {
    note(next);
    setValue(next);
  };
  return <FilesField value={value} onChange={change} />;
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
  await screen.findByRole('button', { name: /^(Attach files|Dateien anhängen)$/ });
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
});

test('is in German, too', async () => {
  await inLanguage('de', async () => {
    await field([CAT]);
    expect(screen.getByRole('button', { name: 'Dateien anhängen' })).toBeTruthy();
  });
});
