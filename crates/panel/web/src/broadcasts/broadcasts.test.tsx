import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { catchUploads, seeAll, stored } from '../inbox/files/testing';
import { ORDER, templates } from '../provider-templates/testing';
import { type Answers, emptyLists, problem, serve, show } from '../settings/testing';
import { Broadcasts } from './list';
import { OneBroadcast } from './page';

const stats = { targeted: 0, sent: 0, delivered: 0, read: 0, failed: 0, suppressed: 0, uncertain: 0 };
const draft = {
  id: 'bcast_1',
  name: 'Opening hours',
  audience: { field: 'subscribed', op: 'eq', value: true },
  message: { type: 'text', text: 'We open at nine.' },
  channel_id: null,
  scheduled_at: null,
  time_zone: 'workspace',
  rate_per_minute: null,
  status: 'draft',
  stats,
  error: null,
  started_at: null,
  ended_at: null,
  created_at: '2026-01-01T09:00:00.000Z',
  updated_at: '2026-01-01T09:00:00.000Z',
  version: 1,
};
const sending = {
  ...draft,
  status: 'sending',
  started_at: '2026-01-01T10:00:00.000Z',
  stats: { ...stats, targeted: 200, sent: 90, suppressed: 10 },
};
const page = (...data: unknown[]) => ({ data, next_cursor: null, total: data.length });
const tagged = (body: object, etag = '"1-a"') => Response.json(body, { headers: { ETag: etag } });
const preview = {
  contact_count: 12,
  suppressed: { unsubscribed: 2 },
  sample: [
    {
      contact_id: 'contact_1',
      message: { type: 'text', text: 'We open at nine, Ada.' },
      suppressed: null,
      error: null,
    },
  ],
};

function answers(but: Answers = {}): Answers {
  return {
    'GET /api/v1/broadcasts': () => page(sending, draft),
    'GET /api/v1/broadcasts/bcast_1': () => tagged(draft),
    'GET /api/v1/broadcasts/bcast_1/recipients': () => page(),
    'GET /api/v1/broadcasts/bcast_2/recipients': () => page(),
    'POST /api/v1/broadcasts/bcast_1/preview': () => preview,
    'POST /api/v1/contacts/search': () => page({ id: 'contact_1', name: 'Ada' }),
    'GET /api/v1/contacts': () => page({ id: 'contact_1', name: 'Ada' }),
    'GET /api/v1/channels': () =>
      page({ id: 'chan_1', name: 'Web', is_default: true, capabilities: { quick_replies: 3 } }),
    ...emptyLists('segments', 'tags', 'custom-fields', 'bot-fields'),
    ...but,
  };
}

test('the list shows the progress of each broadcast', async () => {
  serve(answers());
  show(<Broadcasts />);
  expect(
    await screen.findByRole('row', { name: /Opening hours sending 50%.* 200 90 0 0 0 10/ }),
  ).toBeTruthy();
});

test('creates a draft from a name and a text, for subscribed contacts', async () => {
  const made = vi.fn(() => tagged(draft));
  serve(answers({ 'POST /api/v1/broadcasts': made }));
  show(<Broadcasts />, { path: '/?create=true' });
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'News');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Message' }), 'Hello');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create draft' }));
  await waitFor(() =>
    expect(made).toHaveBeenCalledWith(
      { name: 'News', audience: draft.audience, message: { type: 'text', text: 'Hello' } },
      expect.anything(),
    ),
  );
});

test('a draft can have a file and no text', async () => {
  const bodies: unknown[] = [];
  const begun = catchUploads();
  seeAll();
  serve(
    answers({
      'GET /api/v1/media/media_1': () => new Response('x', { headers: { 'Content-Type': 'image/png' } }),
      'POST /api/v1/broadcasts': (body) => {
        bodies.push((body as { message: unknown }).message);
        return tagged(draft, '"1-a"');
      },
    }),
  );
  show(<Broadcasts />, { path: '/?create=true' });
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'News');
  const create = within(dialog).getByRole('button', { name: 'Create draft' }) as HTMLButtonElement;
  expect(create.disabled).toBe(true);
  const dataTransfer = { types: ['Files'], files: [new File(['abc'], 'cat.png')], items: [] };
  fireEvent.drop(within(dialog).getByRole('textbox', { name: 'Message' }), { dataTransfer });
  await waitFor(() => expect(begun.length).toBe(1));
  await act(async () => begun[0]?.answer(201, stored('media_1', 'cat.png', 'image/png')));
  await userEvent.click(create);
  const attachments = [{ media_id: 'media_1', name: 'cat.png', mime_type: 'image/png' }];
  await waitFor(() => expect(bodies).toEqual([{ type: 'image', attachments }]));
  vi.unstubAllGlobals();
});

test('a preview shows the number of recipients, and why others are left out', async () => {
  serve(answers());
  show(<OneBroadcast id="bcast_1" />);
  const card = await screen.findByRole('region', { name: 'Preview' });
  expect(await within(card).findByText('10')).toBeTruthy();
  expect(within(card).getByText('the contact is unsubscribed')).toBeTruthy();
  expect(within(card).getByText('We open at nine, Ada.')).toBeTruthy();
  expect(await within(card).findByText('Ada')).toBeTruthy();
});

test('reads segments and contacts when they are shown', async () => {
  const { asked } = serve(answers());
  show(<OneBroadcast id="bcast_1" />);
  await screen.findByText('We open at nine, Ada.');
  const shownLater = ['GET /api/v1/segments', 'GET /api/v1/contacts'];
  expect(asked.filter((it) => shownLater.includes(it))).toEqual([]);
  await userEvent.click(screen.getByText('Segment'));
  expect(await screen.findByText(/no segments/i)).toBeTruthy();
  await userEvent.click(screen.getByRole('combobox', { name: 'Contacts' }));
  expect(await screen.findByRole('option', { name: 'Ada' })).toBeTruthy();
  expect(asked.filter((it) => shownLater.includes(it))).toEqual(shownLater);
});

test('a new name does not count the contacts again, a new message does', async () => {
  let saved = draft;
  const { asked } = serve(
    answers({
      'PATCH /api/v1/broadcasts/bcast_1': (body) => {
        saved = { ...saved, ...(body as object), version: saved.version + 1 };
        return tagged(saved, `"${saved.version}-a"`);
      },
    }),
  );
  show(<OneBroadcast id="bcast_1" />);
  const previews = () => asked.filter((it) => it.endsWith('/preview')).length;
  await screen.findByText('We open at nine, Ada.');
  for (const [field, count] of [
    ['Name', 1],
    ['Message', 2],
  ] as const) {
    await userEvent.type(screen.getByRole('textbox', { name: field }), '!');
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Saved')).toBeTruthy();
    await waitFor(() => expect(previews()).toBe(count));
  }
});

test('saves an uploaded file with the message, and sets the type of the message', async () => {
  const bodies: unknown[] = [];
  const begun = catchUploads();
  seeAll();
  serve(
    answers({
      'GET /api/v1/media/media_1': () => new Response('x', { headers: { 'Content-Type': 'image/png' } }),
      'PATCH /api/v1/broadcasts/bcast_1': (body) => {
        bodies.push(body);
        return tagged({ ...draft, ...(body as object), version: 2 }, '"2-a"');
      },
    }),
  );
  show(<OneBroadcast id="bcast_1" />);
  await screen.findByRole('button', { name: 'Add file' });
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
  await userEvent.upload(input, new File(['abc'], 'cat.png'));
  await waitFor(() => expect(begun.length).toBe(1));
  await act(async () => begun[0]?.answer(201, stored('media_1', 'cat.png', 'image/png')));
  await userEvent.click(await screen.findByRole('button', { name: 'Save changes' }));
  const attachments = [{ media_id: 'media_1', name: 'cat.png', mime_type: 'image/png' }];
  const message = { type: 'image', text: 'We open at nine.', attachments };
  await waitFor(() => expect(bodies).toEqual([{ message }]));
  vi.unstubAllGlobals();
});

test('a broadcast on WhatsApp can have a template for contacts who have not written', async () => {
  const saved = vi.fn(() => tagged(draft, '"2-a"'));
  const whatsapp = {
    id: 'chan_1',
    kind: 'whatsapp',
    name: 'W',
    is_default: true,
    capabilities: { quick_replies: 0 },
  };
  serve(
    answers({
      'GET /api/v1/channels': () => page(whatsapp),
      'GET /api/v1/channels/chan_1/templates': () => templates(ORDER),
      'PATCH /api/v1/broadcasts/bcast_1': saved,
    }),
  );
  show(<OneBroadcast id="bcast_1" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Add a template for later' }));
  await userEvent.click(await screen.findByRole('combobox', { name: 'Template' }));
  await userEvent.click(await screen.findByRole('option', { name: 'order_ready · en_US' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  const message = { ...draft.message, fallback: { template: { name: 'order_ready', language: 'en_US' } } };
  await waitFor(() => expect(saved).toHaveBeenCalledWith({ message }, expect.anything()));
});

test('sends to the confirmed number of contacts, and warns if the audience changed', async () => {
  const sent: unknown[] = [];
  let now = preview;
  serve(
    answers({
      'POST /api/v1/broadcasts/bcast_1/preview': () => now,
      'POST /api/v1/broadcasts/bcast_1/send': (body, request) => {
        sent.push([body, request.headers.get('If-Match')]);
        if (sent.length > 1) return tagged({ ...draft, status: 'scheduled', version: 2 }, '"2-b"');
        now = { ...preview, contact_count: 40 };
        return Response.json(
          { status: 409, code: 'audience_changed', detail: 'Changed.', count: 40 },
          { status: 409 },
        );
      },
    }),
  );
  show(<OneBroadcast id="bcast_1" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Send' }));
  const asked = await screen.findByRole('dialog');
  await userEvent.click(await within(asked).findByRole('button', { name: 'Send to 10 contacts' }));
  expect(await within(asked).findByText(/The audience changed from 12 to 40 contacts/)).toBeTruthy();
  await userEvent.click(await within(asked).findByRole('button', { name: 'Send to 38 contacts' }));
  await waitFor(() =>
    expect(sent).toEqual([
      [{ expected_count: 12 }, '"1-a"'],
      [{ expected_count: 40 }, '"1-a"'],
    ]),
  );
});

test('a live broadcast on a sandbox channel warns in the editor and before it is sent', async () => {
  const capabilities = { quick_replies: 3 };
  serve(
    answers({
      'GET /api/v1/channels': () =>
        page({ id: 'chan_1', name: 'Sandbox', kind: 'sandbox', is_default: true, capabilities }),
    }),
  );
  show(<OneBroadcast id="bcast_1" />);
  expect(await screen.findByText(/^Messages on “Sandbox” reach no contact/)).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Connect a channel' });
  expect(link.getAttribute('href')).toBe('/channels?create=true');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText(/^Messages on “Sandbox” reach no contact/)).toBeTruthy();
});

test('a finished broadcast warns only if it names the sandbox channel', async () => {
  const channel = { id: 'chan_1', name: 'Sandbox', kind: 'sandbox', is_default: true, capabilities: {} };
  const done = { ...sending, status: 'completed', ended_at: '2026-01-01T11:00:00.000Z' };
  serve(
    answers({
      'GET /api/v1/channels': () => page(channel),
      'GET /api/v1/broadcasts/bcast_1': () => tagged(done),
      'GET /api/v1/broadcasts/bcast_2': () => tagged({ ...done, id: 'bcast_2', channel_id: 'chan_1' }),
    }),
  );
  show(
    <>
      <OneBroadcast id="bcast_1" />
      <OneBroadcast id="bcast_2" />
    </>,
  );
  await waitFor(() => expect(screen.getAllByRole('region', { name: 'Details' })).toHaveLength(2));
  expect(await screen.findAllByText(/^Messages on “Sandbox” reach no contact/)).toHaveLength(1);
});

test('cannot send unsaved changes', async () => {
  serve(answers());
  show(<OneBroadcast id="bcast_1" />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), '!');
  const send = screen.getByRole('button', { name: 'Send' });
  await waitFor(() => expect(send.getAttribute('aria-disabled')).toBe('true'));
  await userEvent.click(send);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('pauses a running broadcast, and cancels it after a confirmation', async () => {
  const cancelled = vi.fn(() => tagged({ ...sending, status: 'cancelled', version: 3 }));
  serve(
    answers({
      'GET /api/v1/broadcasts/bcast_1': () => tagged(sending),
      'POST /api/v1/broadcasts/bcast_1/pause': () => tagged({ ...sending, status: 'paused', version: 2 }),
      'POST /api/v1/broadcasts/bcast_1/cancel': cancelled,
    }),
  );
  show(<OneBroadcast id="bcast_1" />);
  expect((await screen.findByRole('progressbar')).getAttribute('aria-valuenow')).toBe('50');
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }));
  await screen.findByRole('button', { name: 'Resume' });
  await userEvent.click(screen.getByRole('button', { name: 'Cancel the rest' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel broadcast' }));
  await waitFor(() => expect(cancelled).toHaveBeenCalledTimes(1));
});

test('a viewer sees the broadcast, and changes nothing', async () => {
  const { asked } = serve(answers());
  show(<OneBroadcast id="bcast_1" />, { role: 'viewer' });
  expect(await screen.findByText('We open at nine.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
  expect(asked).not.toContain('POST /api/v1/broadcasts/bcast_1/preview');
});

test('reports a missing broadcast', async () => {
  serve(answers({ 'GET /api/v1/broadcasts/bcast_1': () => problem(404, 'not_found', 'No.') }));
  show(<OneBroadcast id="bcast_1" />);
  expect(await screen.findByText('Broadcast not found')).toBeTruthy();
});

test('shows the list and a draft in German', () =>
  inLanguage('de', async () => {
    serve(answers());
    show(
      <>
        <Broadcasts />
        <OneBroadcast id="bcast_1" />
      </>,
    );
    expect(await screen.findByRole('row', { name: /wird gesendet, 50\s%/ })).toBeTruthy();
    expect(await screen.findByText('2 Rundnachrichten')).toBeTruthy();
    const card = await screen.findByRole('region', { name: 'Vorschau' });
    await waitFor(() => expect(card.textContent).toContain('Empfänger: 10 von 12 Kontakten'));
    expect(within(card).getByText('der Kontakt ist abgemeldet')).toBeTruthy();
    expect(screen.getByText(/^Sie können Vorlagen verwenden: \{\{ contact\.first_name/)).toBeTruthy();
  }));
