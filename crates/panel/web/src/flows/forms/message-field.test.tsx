import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { inLanguage } from '../../i18n/testing';
import { catchUploads, seeAll, stored } from '../../inbox/files/testing';
import { ORDER, SALE, templates } from '../../provider-templates/testing';
import { problem, serve, show } from '../../settings/testing';
import type { Definition, Words } from '../definition';
import { Surroundings } from './context';
import { MessageField } from './message-field';

const AROUND = { definition: { start: '', nodes: [] } as unknown as Definition, fault: () => undefined };

/** Files that are dragged or copied. */
const files = (...names: string[]) => ({
  types: ['Files'],
  files: names.map((it) => new File(['abc'], it)),
  items: [],
});

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

test('adds an uploaded file after a URL, and removes it', async () => {
  const begun = catchUploads();
  seeAll();
  serve({
    'GET /api/v1/media/media_1': () => new Response('x', { headers: { 'Content-Type': 'image/png' } }),
  });
  const url = { url: 'https://a.example/1' };
  const messages: Words[] = [];
  show(<Form first={{ type: 'image', attachments: [url] }} note={(it) => messages.push(it)} />);
  await screen.findByRole('button', { name: 'Add file' });
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
  await userEvent.upload(input, new File(['abc'], 'cat.png'));
  await waitFor(() => expect(begun.length).toBe(1));
  await act(async () => begun[0]?.answer(201, stored('media_1', 'cat.png', 'image/png')));
  const cat = { media_id: 'media_1', name: 'cat.png', mime_type: 'image/png' };
  await waitFor(() => expect(messages).toEqual([{ type: 'image', attachments: [url, cat] }]));
  await userEvent.click(screen.getByRole('button', { name: 'Remove cat.png' }));
  expect(messages[1]).toEqual({ type: 'image', attachments: [url] });
});

test('a text has an upload, and its type follows from the files', async () => {
  const begun = catchUploads();
  seeAll();
  serve({
    'GET /api/v1/media/media_1': () => new Response('x', { headers: { 'Content-Type': 'image/png' } }),
    'HEAD /api/v1/media/media_2': () => new Response(null, { headers: { 'Content-Length': '3' } }),
  });
  const messages: Words[] = [];
  show(<Form first={{ type: 'text', text: '' }} note={(it) => messages.push(it)} />);
  const text = await screen.findByRole('textbox', { name: 'Text' });
  expect(screen.getByRole('button', { name: 'Add file' })).toBeTruthy();
  fireEvent.paste(text, { clipboardData: files('cat.png') });
  await waitFor(() => expect(begun.length).toBe(1));
  await act(async () => begun[0]?.answer(201, stored('media_1', 'cat.png', 'image/png')));
  const cat = { media_id: 'media_1', name: 'cat.png', mime_type: 'image/png' };
  await waitFor(() => expect(messages).toEqual([{ type: 'image', attachments: [cat] }]));
  await userEvent.type(text, 'A');
  fireEvent.drop(text, { dataTransfer: files('list.txt') });
  await waitFor(() => expect(begun.length).toBe(2));
  await act(async () => begun[1]?.answer(201, stored('media_2', 'list.txt', 'text/plain')));
  const list = { media_id: 'media_2', name: 'list.txt', mime_type: 'text/plain' };
  await waitFor(() => expect(messages.at(-1)).toEqual({ type: 'file', text: 'A', attachments: [cat, list] }));
  await userEvent.click(screen.getByRole('button', { name: 'Remove list.txt' }));
  await userEvent.click(screen.getByRole('button', { name: 'Remove cat.png' }));
  expect(messages.at(-1)).toEqual({ type: 'text', text: 'A' });
});

test.each([
  ['en', 'Add file'],
  ['de', 'Datei hinzufügen'],
] as const)('a text becomes the caption of a file that the button adds, in %s', (language, label) =>
  inLanguage(language, async () => {
    const begun = catchUploads();
    seeAll();
    serve({
      'HEAD /api/v1/media/media_1': () => new Response(null, { headers: { 'Content-Length': '3' } }),
    });
    const messages: Words[] = [];
    show(<Form first={{ type: 'text', text: 'Our prices' }} note={(it) => messages.push(it)} />);
    const button = await screen.findByRole('button', { name: label });
    const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
    const opened = vi.spyOn(input, 'click');
    await userEvent.click(button);
    expect(opened).toHaveBeenCalledOnce();
    await userEvent.upload(input, new File(['abc'], 'prices.pdf'));
    await waitFor(() => expect(begun.length).toBe(1));
    await act(async () => begun[0]?.answer(201, stored('media_1', 'prices.pdf', 'application/pdf')));
    const prices = { media_id: 'media_1', name: 'prices.pdf', mime_type: 'application/pdf' };
    const message = { type: 'file', text: 'Our prices', attachments: [prices] };
    await waitFor(() => expect(messages).toEqual([message]));
    expect(screen.getByDisplayValue('Our prices')).toBeTruthy();
  }),
);

test('a drop on one of two messages is for that message', async () => {
  const begun = catchUploads();
  serve({});
  show(
    <>
      <Form first={{ type: 'text', text: 'One' }} />
      <Form first={{ type: 'text', text: 'Two' }} />
    </>,
  );
  const two = await screen.findByDisplayValue('Two');
  const hint = () => screen.queryAllByText('Drop files to attach them').length;
  fireEvent.dragOver(document.body, { dataTransfer: files() });
  expect(hint()).toBe(2);
  fireEvent.dragOver(two, { dataTransfer: files() });
  expect(hint()).toBe(1);
  fireEvent.drop(document.body, { dataTransfer: files('nowhere.txt') });
  fireEvent.drop(two, { dataTransfer: files('a.txt') });
  await waitFor(() => expect(begun.map((it) => it.path)).toEqual(['POST /api/v1/media?name=a.txt']));
  expect(screen.getAllByRole('progressbar').length).toBe(1);
  expect(hint()).toBe(0);
});

test('a location has no upload, and ignores files', async () => {
  const begun = catchUploads();
  serve({});
  show(<Form first={{ type: 'location', attachments: [{ url: 'geo:1,2' }] }} />);
  fireEvent.drop(await screen.findByDisplayValue('geo:1,2'), { dataTransfer: files('a.txt') });
  expect(screen.queryByRole('button', { name: 'Add file' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Add URL' })).toBeTruthy();
  expect(begun).toEqual([]);
});

test('shows the error of a file at the attachments', async () => {
  serve({});
  seeAll();
  const attachments = [{ media_id: 'media_1', name: 'list.txt', mime_type: 'text/plain' }];
  const place = '/message/attachments/0/media_id';
  const fault = (field: string) => (field === place ? 'No file has this ID' : undefined);
  show(<Form first={{ type: 'file', attachments }} fault={fault} />);
  expect(await screen.findByText('No file has this ID')).toBeTruthy();
});

const WHATSAPP = {
  'GET /api/v1/channels': () => ({
    data: [{ id: 'chan_1', kind: 'whatsapp', name: 'W' }],
    next_cursor: null,
  }),
  'GET /api/v1/channels/chan_1/templates': () => templates(ORDER, SALE),
};

test('selects a fallback from the templates of WhatsApp, and removes it', async () => {
  serve(WHATSAPP);
  const messages: Words[] = [];
  show(<Form first={{ type: 'text', text: 'Hi' }} note={(it) => messages.push(it)} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Add a template for later' }));
  expect(messages.at(-1)).toEqual({ type: 'text', text: 'Hi', fallback: { template: { name: '' } } });
  await userEvent.click(await screen.findByRole('combobox', { name: 'Template' }));
  await userEvent.click(await screen.findByRole('option', { name: 'order_ready · en_US' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Parameter 1' }), 'Ada');
  const template = { name: 'order_ready', language: 'en_US', parameters: { '1': 'Ada' } };
  expect(messages.at(-1)).toEqual({ type: 'text', text: 'Hi', fallback: { template } });
  expect(screen.getByText('Hello Ada, your order is ready.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Remove the template' }));
  expect(messages.at(-1)).toEqual({ type: 'text', text: 'Hi' });
});

test('edits a template with unlisted parameters as text', async () => {
  serve(WHATSAPP);
  const template = { name: 'order_ready', language: 'en_US', parameters: { '9': 'Ada' } };
  show(<Form first={{ type: 'template', template }} />);
  expect(await screen.findByRole('combobox', { name: 'Template' })).toBeTruthy();
  expect(screen.getByRole('textbox', { name: 'Template name' })).toBeTruthy();
  expect(screen.getByRole('textbox', { name: /Parameters/ })).toBeTruthy();
});

test('a template can be written if the list of templates fails', async () => {
  const failed = () => problem(409, 'setup_failed', 'WhatsApp rejects the token.');
  serve({ ...WHATSAPP, 'GET /api/v1/channels/chan_1/templates': failed });
  const messages: Words[] = [];
  show(<Form first={{ type: 'template', template: { name: 'a' } }} note={(it) => messages.push(it)} />);
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
  await userEvent.type(screen.getByRole('textbox', { name: 'Template name' }), 'b');
  expect(messages.at(-1)).toEqual({ type: 'template', template: { name: 'ab' } });
});

test('offers no fallback without templates, but can remove a stored one', async () => {
  serve({});
  const messages: Words[] = [];
  const fallback = { template: { name: 'a' } };
  show(
    <>
      <Form first={{ type: 'text', text: 'Hi' }} />
      <Form first={{ type: 'text', text: 'Hi', fallback }} note={(it) => messages.push(it)} />
    </>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Remove the template' }));
  expect(messages).toEqual([{ type: 'text', text: 'Hi' }]);
  expect(screen.queryByRole('button', { name: 'Add a template for later' })).toBeNull();
});
