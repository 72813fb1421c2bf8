import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { saveFile } from '../components/save-file';
import { inLanguage } from '../i18n/testing';
import { LIVE, problem, serve, show } from '../settings/testing';
import type { Contact } from './api';
import { Contacts } from './page';

vi.mock('../components/save-file', () => ({ saveFile: vi.fn() }));

beforeEach(() => {
  // The list only renders visible rows, and jsdom has no layout.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200);
});
const contact = (at: number): Contact => ({
  id: `contact_${at}`,
  external_id: null,
  first_name: 'Ada',
  last_name: String(at),
  name: `Ada ${at}`,
  email: `ada${at}@x.example`,
  phone: null,
  locale: null,
  time_zone: null,
  avatar_url: null,
  status: 'active',
  subscribed: at % 2 === 0,
  identities: [],
  tags: [],
  custom_fields: {},
  last_message_at: null,
  created_at: LIVE.created_at,
  updated_at: LIVE.updated_at,
  deleted_at: null,
  version: 1,
});
const some = (count: number) => Array.from({ length: count }, (_, at) => contact(at));
const none = { data: [], next_cursor: null };
const around = {
  'GET /api/v1/segments': () => none,
  'GET /api/v1/tags': () => ({ data: [{ id: 'tag_vip', name: 'vip' }], next_cursor: null }),
  'GET /api/v1/custom-fields': () => none,
  'GET /api/v1/bot-fields': () => none,
  'GET /api/v1/channels': () => none,
};
const listed = (rows: Contact[]) => ({
  ...around,
  'GET /api/v1/contacts': () => ({
    data: rows,
    next_cursor: null,
    total: rows.length,
    total_is_capped: false,
  }),
});

test('draws only the visible rows of a long list, and moves through it by keyboard', async () => {
  serve(listed(some(90)));
  show(<Contacts />);
  expect(await screen.findByText('90 contacts')).toBeTruthy();
  const rows = screen.getAllByRole('row');
  expect(rows.length).toBeLessThan(60);
  const first = screen.getByRole('row', { name: /Ada 0/ });
  first.focus();
  await userEvent.keyboard('j');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('row', { name: /Ada 1 / })));
  await userEvent.keyboard('x');
  expect(await screen.findByText('1 contact chosen')).toBeTruthy();
});

test('requests the next page with the cursor of the previous one', async () => {
  const cursors: (string | null)[] = [];
  serve({
    ...around,
    'GET /api/v1/contacts': (_, request) => {
      const cursor = new URL(request.url).searchParams.get('cursor');
      cursors.push(cursor);
      return { data: some(cursor ? 2 : 5), next_cursor: cursor ? null : 'c1', total: 7 };
    },
  });
  show(<Contacts />);
  await waitFor(() => expect(cursors).toEqual([null, 'c1']));
});

test('searches with the condition in the address, and shows API errors at their rules', async () => {
  const search = vi.fn(() =>
    problem(422, 'validation_failed', 'Wrong.', [
      { pointer: '/filter/value', code: 'wrong_type', message: 'expected a text' },
    ]),
  );
  serve({ ...around, 'POST /api/v1/contacts/search': search });
  const filter = JSON.stringify({ field: 'email', op: 'contains', value: 'acme' });
  show(<Contacts />, { path: `/?filter=${encodeURIComponent(filter)}` });
  await waitFor(() => expect(search).toHaveBeenCalled());
  expect(search.mock.calls[0]?.at(0)).toMatchObject({ filter: JSON.parse(filter), sort: '-created_at' });
  expect(await screen.findByText('Email contains “acme”')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  expect(await screen.findByText('Expected a text.')).toBeTruthy();
});

test('deletes the selected contacts in one batch after a confirmation', async () => {
  const batch = vi.fn((body: unknown) => ({
    outcomes: (body as { operations: unknown[] }).operations.map((_, at) =>
      at === 0
        ? { status: 204, contact: null, problem: null }
        : { status: 412, contact: null, problem: { detail: 'It changed.' } },
    ),
  }));
  serve({ ...listed(some(3)), 'POST /api/v1/contacts/batch': batch });
  show(<Contacts />);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose Ada 0' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Choose Ada 1' }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete contacts' }));
  expect(await screen.findByText('Done for 1 contact.')).toBeTruthy();
  expect(screen.getByText('Failed for 1 contact: It changed.')).toBeTruthy();
  const bar = screen.getByRole('region', { name: 'Actions for the chosen contacts' });
  expect(within(bar).getByRole('link', { name: 'Ada 1' }).getAttribute('href')).toBe('/contacts/contact_1');
  expect(batch.mock.calls[0]?.[0]).toEqual({
    operations: [
      { action: 'delete', id: 'contact_0' },
      { action: 'delete', id: 'contact_1' },
    ],
  });
  await waitFor(() => expect(screen.queryByRole('row', { name: /Ada 0/ })).toBeNull());
});

test('tags the selected contacts with one request, and names those that failed', async () => {
  const vip = { id: 'tag_vip', name: 'vip', applied_at: LIVE.created_at };
  const bodies: unknown[] = [];
  const status = ['running', 'completed'];
  const operation = { id: 'bulk_1', action: { type: 'tag', tag_id: 'tag_vip' }, done: 1, error: null };
  const { asked } = serve({
    ...listed(some(4)),
    'POST /api/v1/contacts/bulk': (body) => {
      bodies.push(body);
      return Response.json({ ...operation, status: 'queued', done: 0 }, { status: 202 });
    },
    'GET /api/v1/contacts/bulk/bulk_1': () => ({ ...operation, status: status.shift() }),
    // The first contact was tagged, the second failed, and the third was deleted.
    'POST /api/v1/contacts/search': () => ({
      data: [{ ...contact(0), tags: [vip] }, contact(1)],
      next_cursor: null,
    }),
  });
  show(<Contacts />);
  for (const at of [0, 1, 2])
    await userEvent.click(await screen.findByRole('checkbox', { name: `Choose Ada ${at}` }));
  await userEvent.click(screen.getByRole('button', { name: 'Add tag' }));
  await userEvent.click(await screen.findByRole('option', { name: 'vip' }));
  expect(await screen.findByText('Done for 1 contact.')).toBeTruthy();
  const bar = screen.getByRole('region', { name: 'Actions for the chosen contacts' });
  expect(bar.textContent).toContain('Failed for 1 contact: A contact can have at most 100 tags. Ada 1');
  expect(bar.textContent).toContain(
    'Failed for 1 contact: The contact was deleted or merged in the meantime. Ada 2',
  );
  const filter = { field: 'id', op: 'in', value: ['contact_0', 'contact_1', 'contact_2'] };
  expect(bodies).toEqual([{ filter, action: { type: 'tag', tag_id: 'tag_vip' } }]);
  expect(asked.filter((it) => it.includes('/tags') && !it.startsWith('GET'))).toEqual([]);
  expect(screen.getByRole('row', { name: /Ada 0.*vip/ })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('row', { name: /Ada 2/ })).toBeNull());
});

test('selects all contacts of a list, and changes them by its filter', async () => {
  const previews: unknown[] = [];
  serve({
    ...around,
    'GET /api/v1/contacts': (_, request) =>
      new URL(request.url).searchParams.get('cursor')
        ? problem(503, 'unavailable', 'Later.')
        : { data: some(3), next_cursor: 'c1', total: 10_000, total_is_capped: true },
    'GET /api/v1/contacts/bulk': () => none,
    'POST /api/v1/contacts/bulk/preview': (body) => {
      previews.push(body);
      return { matched: 10_512, sample: [] };
    },
  });
  show(<Contacts />, { path: '/?segment=seg_1' });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose all loaded contacts' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Choose all 10,512 contacts' }));
  expect(await screen.findByText('All 10,512 contacts chosen')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Choose an action' }));
  const dialog = await screen.findByRole('dialog', { name: 'Bulk edit' });
  await userEvent.click(within(dialog).getByRole('radio', { name: /Subscribe/ }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Count contacts' }));
  expect(await within(dialog).findByText('Subscribe 10,512 contacts?')).toBeTruthy();
  const filter = { segment_id: 'seg_1' };
  expect(previews).toEqual([{ filter }, { filter, action: { type: 'subscribe' } }]);
});

test('applies other actions only to the selected contacts', async () => {
  const previews: unknown[] = [];
  serve({
    ...listed(some(3)),
    'GET /api/v1/contacts/bulk': () => none,
    'POST /api/v1/contacts/bulk/preview': (body) => {
      previews.push(body);
      return { matched: 1, sample: [] };
    },
  });
  show(<Contacts />);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose Ada 1' }));
  await userEvent.click(screen.getByRole('button', { name: 'More actions' }));
  const dialog = await screen.findByRole('dialog', { name: 'Bulk edit' });
  expect(within(dialog).getByText('This changes the 1 chosen contact.')).toBeTruthy();
  await userEvent.click(within(dialog).getByRole('radio', { name: /Subscribe/ }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Count contacts' }));
  expect(await within(dialog).findByText('Subscribe 1 contact?')).toBeTruthy();
  const filter = { field: 'id', op: 'in', value: ['contact_1'] };
  expect(previews).toEqual([{ filter, action: { type: 'subscribe' } }]);
});

test('keeps the selected columns after a reload', async () => {
  localStorage.clear();
  const values = { plan: 'pro', vip: true, latitude: 52.520008 };
  const ada = { ...contact(1), external_id: 'a-1', custom_fields: values };
  const field = (key: string, type: string) => ({ key, name: key.toUpperCase(), type, options: [] });
  serve({
    ...listed([ada]),
    'GET /api/v1/custom-fields': () => ({
      data: [field('plan', 'text'), field('vip', 'boolean'), field('latitude', 'number')],
      next_cursor: null,
    }),
  });
  show(<Contacts />);
  await userEvent.click(await screen.findByRole('button', { name: 'Columns' }));
  const name = await screen.findByRole('checkbox', { name: 'Name' });
  expect(name.hasAttribute('disabled')).toBe(true);
  for (const name of ['PLAN', 'VIP', 'LATITUDE', 'External ID', 'Phone']) {
    await userEvent.click(screen.getByRole('checkbox', { name }));
  }
  const cells = () => screen.getAllByRole('cell').map((it) => it.textContent);
  expect(cells()).toEqual(expect.arrayContaining(['a-1', 'pro', 'yes', '52.520008']));
  expect(screen.queryByRole('columnheader', { name: 'Phone' })).toBeNull();
  cleanup();
  show(<Contacts />);
  expect(await screen.findByRole('columnheader', { name: 'PLAN' })).toBeTruthy();
  expect(screen.queryByRole('columnheader', { name: 'Phone' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Show the usual columns' }));
  expect(await screen.findByRole('columnheader', { name: 'Phone' })).toBeTruthy();
  expect(screen.queryByRole('columnheader', { name: 'PLAN' })).toBeNull();
  localStorage.clear();
});

test('exports all contacts that match the words of the list', async () => {
  const queries: string[] = [];
  serve({
    ...listed(some(2)),
    'GET /api/v1/contacts/export': (_, request) => {
      queries.push(new URL(request.url).search);
      return new Response('id,first_name\r\n', { headers: { 'Content-Type': 'text/csv; charset=utf-8' } });
    },
  });
  show(<Contacts />, { path: '/?q=ada', role: 'viewer' });
  await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Export as CSV' }));
  await waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
  expect(vi.mocked(saveFile).mock.calls[0]?.[1]).toMatch(/^contacts-\d{4}-\d\d-\d\d\.csv$/);
  expect(queries).toEqual(['?q=ada&bom=true']);
});

test('exports the selected columns in their order', async () => {
  const queries: URLSearchParams[] = [];
  serve({
    ...listed(some(2)),
    'GET /api/v1/custom-fields': () => ({
      data: [{ key: 'plan', name: 'Plan', type: 'text', options: [] }],
      next_cursor: null,
    }),
    'GET /api/v1/contacts/export': (_, request) => {
      queries.push(new URL(request.url).searchParams);
      return new Response('external_id,email\r\n');
    },
  });
  show(<Contacts />);
  await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
  await userEvent.click(await screen.findByRole('radio', { name: 'Selected columns' }));
  const start = screen.getByRole('button', { name: 'Export as CSV' });
  expect(start.hasAttribute('disabled')).toBe(true);
  expect(screen.getByText('Select at least one column.')).toBeTruthy();
  for (const name of ['Plan', 'Email', 'External ID']) {
    await userEvent.click(screen.getByRole('checkbox', { name }));
  }
  await userEvent.click(start);
  await waitFor(() => expect(queries[0]?.get('columns')).toBe('external_id,email,custom_fields.plan'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('offers no export with a condition, which the API does not accept there', async () => {
  serve({ ...around, 'POST /api/v1/contacts/search': () => ({ data: some(2), next_cursor: null }) });
  const filter = JSON.stringify({ field: 'email', op: 'exists' });
  show(<Contacts />, { path: `/?filter=${encodeURIComponent(filter)}` });
  await screen.findByRole('row', { name: /Ada 0/ });
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
});

test('a viewer can neither select nor create contacts', async () => {
  serve(listed(some(2)));
  show(<Contacts />, { role: 'viewer' });
  expect(await screen.findByText('2 contacts')).toBeTruthy();
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Create contact' })).toBeNull();
});

test('links to the existing contact if an identifier is already used', async () => {
  serve({
    ...listed([]),
    'POST /api/v1/contacts': () =>
      Response.json(
        { status: 409, code: 'contact_exists', detail: 'It is taken.', existing_id: 'contact_9' },
        { status: 409 },
      ),
  });
  show(<Contacts />, { path: '/?create=true' });
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Email' }), 'ada@x.example');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create contact' }));
  const link = await within(dialog).findByRole('link', { name: 'Open the existing contact' });
  expect(link.getAttribute('href')).toContain('contact_9');
});

test('shows the list in German', async () => {
  serve({
    ...listed(some(2)),
    'POST /api/v1/contacts/batch': () => ({
      outcomes: [
        { status: 412, contact: null, problem: { code: 'precondition_failed', detail: 'It changed.' } },
      ],
    }),
  });
  await inLanguage('de', async () => {
    show(<Contacts />);
    expect(await screen.findByText('2 Kontakte')).toBeTruthy();
    expect(screen.getByRole('columnheader', { name: 'Letzte Nachricht' })).toBeTruthy();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Ada 0 auswählen' }));
    expect(await screen.findByText('1 Kontakt ausgewählt')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Löschen' }));
    const dialog = await screen.findByRole('dialog', { name: '1 Kontakt löschen?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Kontakte löschen' }));
    const failed = await screen.findByText(/^Für 1 Kontakt fehlgeschlagen: /);
    expect(failed.textContent).not.toContain('It changed.');
  });
});
