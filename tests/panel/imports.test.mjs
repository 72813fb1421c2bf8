// Contacts are imported from a table: its file, its columns, the check, the progress and the result.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { beyond, comes, launch, picture, rest, signIn, violations, visitor } from './browser.mjs';
import { Server, until } from './server.mjs';

let server, browser, page, faults;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  ({ page, faults } = await visitor(browser, server.origin));
  await signIn(page, server.made);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Chooses a file with this content. */
const choose = (text, encoding = 'utf8', name = 'people.csv') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text, encoding) });
const button = (name) => page.getByRole('button', { name, exact: true });
const combobox = (name) => page.getByRole('combobox', { name, exact: true });

/** Counts the clicks of a user. */
let clicks = 0;
async function click(locator) {
  clicks += 1;
  await locator.click();
}

/** Checks screenshots in both schemes, accessibility, and a small phone. */
async function inspect(name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await picture(page, `${name}-${colorScheme}`);
    assert.deepEqual(await violations(page), []);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  assert.deepEqual(await beyond(page), []);
  await picture(page, `${name}-phone`);
  await page.setViewportSize({ width: 1440, height: 900 });
}

const GERMAN = [
  'E-Mail;Vorname;Nachname;Telefon;Umsatz;Kunde seit;Schuhgröße',
  'ada@example.com;Jürgen;Groß;030 1234567;1.234,50;03/04/2026;42',
  'known@example.com;Zoë;Meier;030 1234568;12,5;04/05/2026;38',
  'keine Adresse;Bob;Müller;030 1234569;7,25;05/06/2026;41',
  'eve@example.com;Eve;Weiß;030 1234560;kein Wert;06/07/2026;39',
  '',
].join('\r\n');

test('imports a German table from a spreadsheet program with few decisions', async () => {
  const token = server.made.key;
  const post = (path, body) => server.done('POST', `/api/v1/${path}`, { token, body });
  await post('custom-fields', { name: 'Umsatz', key: 'umsatz', type: 'number' });
  await post('custom-fields', { name: 'Kunde seit', key: 'kunde_seit', type: 'date' });
  await post('contacts', { email: 'known@example.com', first_name: 'Known' });
  await page.goto('/contacts');
  await click(button('Import'));
  await page.getByText('Drop a file here, or').waitFor();
  await inspect('import');
  // The button opens a browser dialog, which a test cannot click.
  clicks += 1;
  await choose(GERMAN, 'latin1', 'kunden.csv');
  await page.getByText('kunden.csv: 4 rows · 7 columns').waitFor();
  await page.getByText('Detected: windows-1252, semicolon').waitFor();
  await click(button('Continue to the columns'));

  await page.getByText('3 columns need a decision').waitFor();
  await inspect('import-columns');
  await click(combobox('Format of “Telefon”'));
  await page.keyboard.type('Germany');
  await click(page.getByRole('option', { name: 'Germany', exact: true }));
  await click(page.getByRole('radio', { name: '03/04/2026 → 3 April 2026' }));
  await click(combobox('Import “Schuhgröße” as'));
  await click(page.getByRole('option', { name: 'Create field…' }));
  const dialog = page.getByRole('dialog', { name: 'Create a field for “Schuhgröße”' });
  await click(dialog.getByRole('button', { name: 'Create custom field' }));
  await page.getByText('All columns are ready').waitFor();
  await click(button('Continue to the check'));

  await page.getByText('Umsatz: 1 of 4 cells does not fit').waitFor();
  await page.getByText(/Line 5, “kein Wert”/).waitFor();
  await inspect('import-check');
  await click(button('Import 4 rows'));
  await page.getByText('completed').waitFor();
  await page.getByText('4 of 4 rows').waitFor();
  const reasons = page.getByRole('region', { name: 'Most frequent reasons' });
  await reasons.getByRole('row', { name: /Umsatz/ }).waitFor();
  await reasons.getByRole('row', { name: /E-Mail/ }).waitFor();
  await inspect('import-result');
  assert.ok(clicks <= 11, `${clicks} clicks`);

  const [saved] = await Promise.all([page.waitForEvent('download'), button('Download rejected rows and skipped cells').click()]);
  assert.match(await readFile(await saved.path(), 'utf8'), /4,E-Mail,.*keine Adresse,Bob/s);
  const fields = await server.done('GET', '/api/v1/custom-fields', { token });
  const size = fields.data.find((it) => it.name === 'Schuhgröße');
  assert.equal(size.type, 'number');
  const found = await server.done('GET', '/api/v1/contacts?q=example.com', { token });
  // Rows of one commit have the same time.
  found.data.sort((one, other) => one.email.localeCompare(other.email));
  assert.deepEqual(
    found.data.map(({ email, first_name, phone, custom_fields: it }) => [email, first_name, phone, it.umsatz, it.kunde_seit, it[size.key]]),
    [
      ['ada@example.com', 'Jürgen', '+49301234567', 1234.5, '2026-04-03', 42],
      ['eve@example.com', 'Eve', '+49301234560', undefined, '2026-07-06', 39],
      ['known@example.com', 'Zoë', '+49301234568', 12.5, '2026-05-04', 38],
    ],
  );
  await button('Close').click();
  await page.getByRole('row', { name: /ada@example.com/ }).waitFor();
});

test('remembers the decisions for the same headings, and asks before the user leaves with a file', async () => {
  await page.goto('/contacts/import');
  await choose(GERMAN, 'latin1', 'kunden.csv');
  await button('Continue to the columns').click();
  await page.getByText('All columns are ready').waitFor();
  await page.getByText(/Your choices from the last import/).waitFor();
  await button('Continue to the check').click();
  await button('Import 4 rows').waitFor();
  await page.goBack();
  await page.getByText('All columns are ready').waitFor();
  await page.goForward();
  await button('Import 4 rows').waitFor();
  await page.getByRole('link', { name: 'Segments' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor();
});

test('shows the progress of an import, also after a reload, and cancels it', async () => {
  await page.goto('/contacts/import');
  await page.getByRole('region', { name: 'Past imports' }).getByRole('row').nth(1).waitFor();
  await choose(`external_id,first_name\n${Array.from({ length: 40_000 }, (_, at) => `many-${at},Ada`).join('\n')}\n`);
  await button('Continue to the columns').click();
  await page.getByText('All columns are ready').waitFor();
  await button('Continue to the check').click();
  await button('Import 40,000 rows').click();
  const bar = page.getByRole('progressbar', { name: 'Progress' });
  const done = () => bar.evaluate((it) => it.value);
  const first = await until('the first rows are imported', done, 20);
  await until('the bar moves', async () => (await done()) > first, 20);
  await page.reload();
  await until('the progress is shown again', async () => (await done()) > first, 20);
  await button('Cancel the import').click();
  await page.getByText('cancelled').waitFor();
  const last = await done();
  assert.ok(last < 40_000, `${last} rows`);
  await rest(page);
  assert.equal(await comes(button('Cancel the import')), false);
  await button('All imports').click();
  await page.getByRole('cell', { name: 'cancelled' }).waitFor();
  await inspect('imports');
  assert.deepEqual(faults, []);
});
