import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { catchUploads, seeAll, stored } from '../../inbox/files/testing';
import { serve, show } from '../../settings/testing';
import type { Definition, Words } from '../definition';
import { Surroundings } from './context';
import { MessageField } from './message-field';

afterEach(() => vi.unstubAllGlobals());

const AROUND = { definition: { start: '', nodes: [] } as unknown as Definition, fault: () => undefined };

interface Props {
  first: Words;
  note?: (message: Words) => void;
  fault?: (field: string) => string | undefined;
}

function Form({ first, note, fault = AROUND.fault }: Props) {
  const [message, setMessage] = useState(first);
  const change = (next: Words) => {
    note?.(next);
    setMessage(next);
  };
  return (
    <Surroundings.Provider value={{ ...AROUND, fault }}>
      <MessageField label="Text" field="/message" value={message} onChange={change} />
    </Surroundings.Provider>
  );
}

test('an uploaded file is added after a URL, and removed', async () => {
  const begun = catchUploads();
  seeAll();
  serve({
    'GET /api/v1/media/media_1': () => new Response('x', { headers: { 'Content-Type': 'image/png' } }),
  });
  const url = { url: 'https://a.example/1' };
  const messages: Words[] = [];
  show(<Form first={{ type: 'image', attachments: [url] }} note={(it) => messages.push(it)} />);
  await screen.findByRole('button', { name: 'Attach files' });
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
  await userEvent.upload(input, new File(['abc'], 'cat.png'));
  await waitFor(() => expect(begun.length).toBe(1));
  await act(async () => begun[0]?.answer(201, stored('media_1', 'cat.png', 'image/png')));
  const cat = { media_id: 'media_1', name: 'cat.png', mime_type: 'image/png' };
  await waitFor(() => expect(messages).toEqual([{ type: 'image', attachments: [url, cat] }]));
  await userEvent.click(screen.getByRole('button', { name: 'Remove cat.png' }));
  expect(messages[1]).toEqual({ type: 'image', attachments: [url] });
});

test('a text and a location have no upload', async () => {
  serve({});
  show(<Form first={{ type: 'location', attachments: [{ url: 'geo:1,2' }] }} />);
  expect(await screen.findByDisplayValue('geo:1,2')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Attach files' })).toBeNull();
});

test('an error of a file is shown at the attachments', async () => {
  serve({});
  seeAll();
  const attachments = [{ media_id: 'media_1', name: 'list.txt', mime_type: 'text/plain' }];
  const place = '/message/attachments/0/media_id';
  const fault = (field: string) => (field === place ? 'No file has this ID' : undefined);
  show(<Form first={{ type: 'file', attachments }} fault={fault} />);
  expect(await screen.findByText('No file has this ID')).toBeTruthy();
});
