import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Role } from '../app/places';
import { problem, serve, show } from '../settings/testing';
import type { Import } from './check';
import { ImportPage } from './page';
import { BIRTHDAY, COLUMNS, COMPLETED, CREATED, checkOf, column, REVENUE, service } from './testing';

const open = (search = '', role: Role = 'owner') =>
  show(<ImportPage />, { path: `/contacts/import${search}`, route: '/contacts/import', role });

async function choose(file = new File([new Uint8Array([0x55, 0xfc, 0x0a])], 'may.csv')) {
  await screen.findByText(/Drop a file here|Legen Sie hier/);
  await userEvent.upload(document.querySelector('input[type=file]') as HTMLInputElement, file);
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const select = async (label: string, name: string) => {
  await userEvent.click(screen.getByRole('combobox', { name: label }));
  await userEvent.click(await screen.findByRole('option', { name }));
};

/** Decides about all columns. */
async function decide() {
  await press('Continue to the columns');
  await select('Import “Umsatz” as', 'Revenue');
  await userEvent.click(await screen.findByRole('radio', { name: '03/04/2026 → 3 April 2026' }));
  await press('Import “Abgemeldet” as Subscribed');
  await screen.findByText('All columns are ready');
}

test('imports a table in three steps, with each decision of the user', async () => {
  const { answers, start } = service();
  serve(answers);
  open();
  await choose();
  expect(await screen.findByText('may.csv: 2 rows · 4 columns')).toBeTruthy();
  expect(screen.getByText('1 blank row is skipped.')).toBeTruthy();
  expect(screen.getByText('Detected: windows-1252, semicolon')).toBeTruthy();
  await press('Continue to the columns');
  expect(await screen.findByText('3 columns need a decision')).toBeTruthy();
  expect(screen.getAllByText('Decision needed').length).toBe(3);
  expect(screen.getByText('Import as Subscribed (inverted)?')).toBeTruthy();
  // The button leads to the first decision instead of the next step.
  await press('Continue to the check');
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Import “Umsatz” as' }));
  await select('Import “Umsatz” as', 'Revenue');
  await userEvent.click(screen.getByRole('radio', { name: '03/04/2026 → 4 March 2026' }));
  await press('Import “Abgemeldet” as Subscribed');
  expect(await screen.findByText('All columns are ready')).toBeTruthy();
  await press('Continue to the check');
  await userEvent.click(await screen.findByRole('radio', { name: /Keep it/ }));
  await press('Import 2 rows');
  await waitFor(() => expect(start).toHaveBeenCalled());
  const [body, request] = start.mock.calls[0] ?? [];
  // The bytes of the file, which are not UTF-8.
  expect(body).toBe('U\uFFFD\n');
  const query = new URL((request as Request).url).searchParams;
  expect(query.getAll('column')).toEqual([
    'E-Mail:email',
    'Umsatz:custom_fields.revenue',
    'Geburtstag:custom_fields.birthday',
    'Abgemeldet:subscribed',
  ]);
  expect(query.getAll('format')).toEqual([
    'E-Mail:text',
    'Geburtstag:date:mm/dd/yyyy',
    'Abgemeldet:yes_no:inverted',
  ]);
  const others = ['encoding', 'delimiter', 'existing', 'on_error', 'check'].map((it) => query.get(it));
  expect(others).toEqual(['windows-1252', ';', 'keep', 'skip_cell', null]);
  expect((request as Request).headers.get('Idempotency-Key')).toBeTruthy();
  expect(await screen.findByText('completed')).toBeTruthy();
  const reasons = await screen.findByRole('region', { name: 'Most frequent reasons' });
  expect(within(reasons).getByRole('row', { name: /Umsatz.*not a number.*– 2/ })).toBeTruthy();
  expect(within(reasons).getByRole('row', { name: /E-Mail.*1 –.*Line 3/ })).toBeTruthy();
  expect(screen.getByRole('button', { name: /Download rejected rows/ })).toBeTruthy();
});

test('remembers the choices for the same headings without data, and can reset them', async () => {
  const { answers } = service();
  serve(answers);
  const { router } = open();
  await choose();
  await decide();
  await press('Continue to the check');
  await press('Import 2 rows');
  await press('All imports');
  expect(JSON.stringify(localStorage)).not.toContain('03/04/2026');
  await choose();
  await press('Continue to the columns');
  expect(await screen.findByText('All columns are ready')).toBeTruthy();
  await press('Reset');
  expect(await screen.findByText('3 columns need a decision')).toBeTruthy();
  expect(router.state.location.search).toMatchObject({ step: 'columns' });
});

test('skips all unknown columns only on request', async () => {
  const { answers } = service();
  serve(answers);
  open();
  await choose();
  await press('Continue to the columns');
  await press('Do not import the unknown column');
  expect(await screen.findByText('2 columns need a decision')).toBeTruthy();
  expect((screen.getByRole('combobox', { name: 'Import “Umsatz” as' }) as HTMLInputElement).value).toBe(
    'Do not import',
  );
});

test('creates a field with the heading of a column and a type for its values', async () => {
  const created = vi.fn((body: unknown) => ({
    ...REVENUE,
    ...(body as object),
    id: 'field_3',
    key: 'umsatz',
  }));
  const fields = () => [BIRTHDAY, ...created.mock.results.map((it) => it.value)];
  const { answers } = service({
    'GET /api/v1/custom-fields': () => ({ data: fields(), next_cursor: null }),
    'POST /api/v1/custom-fields': created,
  });
  serve(answers);
  open();
  await choose();
  await press('Continue to the columns');
  await select('Import “Umsatz” as', 'Create field…');
  const dialog = await screen.findByRole('dialog', { name: 'Create a field for “Umsatz”' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create custom field' }));
  await waitFor(() => expect(created.mock.calls[0]?.[0]).toEqual({ name: 'Umsatz', type: 'number' }));
  expect(await screen.findByText('2 columns need a decision')).toBeTruthy();
  const target = screen.getByRole('combobox', { name: 'Import “Umsatz” as' }) as HTMLInputElement;
  await waitFor(() => expect(target.value).toBe('Umsatz'));
});

const PHONE = column('Telefon', {
  target: 'phone',
  format: 'phone',
  failing: 2,
  failures: [{ line: 2, value: '030 1', code: 'missing_country_code', message: 'no country' }],
});

test.each([
  ['admin', '/settings/workspace'],
  ['member', undefined],
] as const)('phone numbers without a country offer the default country (role %s): %s', async (role, href) => {
  serve(service({ 'POST /api/v1/contacts/import': (_, request) => checkOf(request, [PHONE]) }).answers);
  open('', role);
  await choose();
  await press('Continue to the columns');
  await screen.findByText(/need a country/);
  const link = screen.queryByRole('link', { name: 'Set a default country' });
  expect(link?.getAttribute('href') ?? undefined).toBe(href);
  // This page would lose the file.
  if (link) expect(link.getAttribute('target')).toBe('_blank');
});

test('two columns with one target, and phone numbers without a country, need a decision', async () => {
  const columns = [PHONE, column('Mail A', { state: 'unknown' }), column('Mail B', { state: 'unknown' })];
  serve(service({ 'POST /api/v1/contacts/import': (_, request) => checkOf(request, columns) }).answers);
  open();
  await choose();
  await press('Continue to the columns');
  expect(await screen.findByText(/need a country/)).toBeTruthy();
  await select('Import “Mail A” as', 'Email');
  await select('Import “Mail B” as', 'Email');
  expect(await screen.findByText(/Another column has this target/)).toBeTruthy();
  await select('Import “Mail B” as', 'Do not import');
  await userEvent.click(screen.getByRole('combobox', { name: 'Format of “Telefon”' }));
  await userEvent.type(screen.getByRole('combobox', { name: 'Format of “Telefon”' }), 'Germany');
  await userEvent.click(await screen.findByRole('option', { name: 'Germany' }));
  expect(await screen.findByText('All columns are ready')).toBeTruthy();
});

test('a check waits while another check of the workspace is running', async () => {
  let isBusy = true;
  const busy = () => {
    isBusy = false;
    const body = { status: 429, code: 'search_limit', detail: 'A check of this workspace is running.' };
    return Response.json(body, { status: 429, headers: { 'Retry-After': '1' } });
  };
  const check = (_: unknown, request: Request) => (isBusy ? busy() : checkOf(request));
  serve(service({ 'POST /api/v1/contacts/import': check }).answers);
  open();
  await choose();
  expect(await screen.findByText('may.csv: 2 rows · 4 columns')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('skips a column without a heading by its position', async () => {
  const columns = [column('email', { target: 'email' }), column('#2', { state: 'unknown' })];
  serve(service({ 'POST /api/v1/contacts/import': (_, request) => checkOf(request, columns) }).answers);
  open();
  await choose();
  await press('Continue to the columns');
  const target = await screen.findByRole('combobox', { name: 'Import “Column 2, without a heading” as' });
  expect(target.hasAttribute('disabled')).toBe(false);
  await press(/Do not import the unknown/);
  await press('Continue to the check');
  expect(await screen.findByText('Not imported: #2')).toBeTruthy();
});

test('rejects a table without an identifier', async () => {
  const columns = [column('Vorname', { target: 'first_name' })];
  serve(service({ 'POST /api/v1/contacts/import': (_, request) => checkOf(request, columns) }).answers);
  open();
  await choose();
  await press('Continue to the columns');
  expect(await screen.findByText(/as external ID, email or phone/)).toBeTruthy();
  await press('Continue to the check');
  expect(screen.queryByRole('button', { name: 'Import 2 rows' })).toBeNull();
});

test('a double click starts one import', async () => {
  const { answers, start } = service();
  serve(answers);
  open();
  await choose();
  await decide();
  await press('Continue to the check');
  const button = await screen.findByRole('button', { name: 'Import 2 rows' });
  fireEvent.click(button);
  fireEvent.click(button);
  expect(await screen.findByText('completed')).toBeTruthy();
  expect(start).toHaveBeenCalledOnce();
});

test('a retry after a lost connection sends the same key', async () => {
  const keys: (string | null)[] = [];
  let isLost = true;
  const { answers } = service(
    {},
    vi.fn((_: unknown, request: Request) => {
      keys.push(request.headers.get('Idempotency-Key'));
      if (isLost) throw new TypeError('Failed to fetch');
      return CREATED;
    }),
  );
  serve(answers);
  open();
  await choose();
  await decide();
  await press('Continue to the check');
  await press('Import 2 rows');
  expect(await screen.findByText('The service cannot be reached.')).toBeTruthy();
  expect(keys.length).toBe(1);
  isLost = false;
  await press('Try again');
  expect(await screen.findByText('completed')).toBeTruthy();
  expect(keys.length).toBe(2);
  expect(keys[0]).toBe(keys[1]);
});

test('Back and Forward keep the choices, and leaving with a file asks', async () => {
  serve(service().answers);
  const { router } = open();
  await choose();
  await decide();
  await press('Continue to the check');
  await screen.findByRole('button', { name: 'Import 2 rows' });
  await userEvent.click(screen.getByRole('radio', { name: /Reject the row.*correct them/ }));
  act(() => router.history.back());
  expect(await screen.findByText('All columns are ready')).toBeTruthy();
  act(() => router.history.back());
  expect(await screen.findByText('may.csv: 2 rows · 4 columns')).toBeTruthy();
  act(() => router.history.forward());
  await screen.findByText('All columns are ready');
  act(() => router.history.forward());
  const reject = await screen.findByRole('radio', { name: /Reject the row.*correct them/ });
  expect(
    (reject as HTMLInputElement).getAttribute('aria-checked') ?? (reject as HTMLInputElement).checked,
  ).toBeTruthy();
  act(() => void router.navigate({ to: '/login' as never }));
  expect(await screen.findByText('Leave without saving?')).toBeTruthy();
});

test('reads the table again in another encoding, and shows the step in the address', async () => {
  serve(service().answers);
  open('?step=check');
  expect(await screen.findByText('Step 1 of 3: File')).toBeTruthy();
  await choose();
  await userEvent.click(await screen.findByText('Detected: windows-1252, semicolon'));
  await select('Encoding', 'windows-1250');
  expect(await screen.findByText('Detected: windows-1250, semicolon')).toBeTruthy();
});

test('explains how to fix a file that is not a table', async () => {
  const refused = () =>
    problem(422, 'validation_failed', 'The request is not valid.', [
      { pointer: '', code: 'unclosed_quotes', message: 'the row in line 3 has a cell that starts with `"`' },
    ]);
  serve(service({ 'POST /api/v1/contacts/import': refused }).answers);
  open();
  await choose(new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'large.csv'));
  expect(await screen.findByText(/larger than 5 MiB/)).toBeTruthy();
  await choose(new File([new Uint8Array([0x50, 0x4b, 3, 4])], 'people.csv'));
  expect(await screen.findByText(/The file is a workbook/)).toBeTruthy();
  await choose();
  expect(await screen.findByText(/The row in line 3 has a cell/)).toBeTruthy();
  expect(screen.getByRole('combobox', { name: 'Encoding' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Continue to the columns' })).toBeNull();
});

test('the check shows invalid cells with the reasons', async () => {
  const wrong = {
    line: 7,
    value: 'abc',
    code: 'not_a_number',
    message: '`abc` is not a number; accepted: `1.234,5`',
  };
  const columns = [
    COLUMNS[0] ?? column('E-Mail'),
    column('Umsatz', {
      target: 'custom_fields.revenue',
      format: 'number:1.234,5',
      failing: 3,
      failures: [wrong],
    }),
    column('created_at', { state: 'skipped' }),
    column('Seit', { target: 'custom_fields.since', format: 'date_time', clock_changes: 2 }),
  ];
  const rows = {
    count: 1,
    examples: [{ line: 9, code: 'wrong_number_of_cells', message: 'cell 4 has text' }],
  };
  const check = (_: unknown, request: Request) => ({ ...checkOf(request, columns), row_errors: rows });
  serve(service({ 'POST /api/v1/contacts/import': check }).answers);
  open();
  await choose();
  await press('Continue to the columns');
  await press('Continue to the check');
  expect(await screen.findByText('Umsatz: 3 of 2 cells do not fit')).toBeTruthy();
  expect(screen.getByText(/Line 7, “abc”: `abc` is not a number; accepted/)).toBeTruthy();
  expect(screen.getByText('Line 9: Cell 4 has text.')).toBeTruthy();
  expect(screen.getByText('Not imported: created_at')).toBeTruthy();
  expect(screen.getByText(/^2 times fall into a clock change\./)).toBeTruthy();
});

test('opens past imports, and cancels a running one', async () => {
  let cancelled = false;
  const running: Import = {
    ...CREATED,
    status: 'running',
    counts: { ...CREATED.counts, rows: 900, done: 300 },
  };
  const now = () => (cancelled ? { ...running, status: 'cancelled', ended_at: COMPLETED.ended_at } : running);
  serve(
    service({
      'GET /api/v1/contacts/imports': () => ({ data: [now()], next_cursor: null }),
      'GET /api/v1/contacts/imports/imp_1': now,
      'POST /api/v1/contacts/imports/imp_1/cancel': () => {
        cancelled = true;
        return now();
      },
    }).answers,
  );
  open();
  const past = await screen.findByRole('region', { name: 'Past imports' });
  await userEvent.click(await within(past).findByRole('cell', { name: 'running' }));
  expect(await screen.findByText('300 of 900 rows')).toBeTruthy();
  const bar = screen.getByRole('progressbar', { name: 'Progress' }) as HTMLProgressElement;
  expect([bar.value, bar.max]).toEqual([300, 900]);
  await press('Cancel the import');
  expect(await screen.findByText('cancelled')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Cancel the import' })).toBeNull();
});

test('an import with only rejected rows is failed, and shows the reasons', async () => {
  const error = { code: 'every_row_rejected', message: 'every row was rejected' };
  const counts = { ...COMPLETED.counts, created: 0, rejected: 2, skipped_cells: 0 };
  const failed = { ...COMPLETED, status: 'failed', error, counts };
  serve(service({ 'GET /api/v1/contacts/imports/imp_1': () => failed }).answers);
  open('?id=imp_1');
  expect((await screen.findByRole('alert')).textContent).toBe('Every row was rejected.');
  expect(await screen.findByRole('region', { name: 'Most frequent reasons' })).toBeTruthy();
});

test('a viewer cannot import', async () => {
  serve(service().answers);
  show(<ImportPage />, { path: '/contacts/import', route: '/contacts/import', role: 'viewer' });
  expect(await screen.findByText('Viewers cannot import contacts')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Choose a file' })).toBeNull();
});
