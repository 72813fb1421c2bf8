// A table of contacts is taken in: what its columns are, how far it is, what became of it, and how it is halted.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { comes, launch, picture, rest, signIn, violations, visitor } from './browser.mjs';
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

const file = (text) => ({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
const choose = (text) => page.locator('input[type=file]').setInputFiles(file(text));
const dialog = () => page.getByRole('dialog', { name: 'Import contacts' });

/** A picture in both schemes, and whether everybody can use what is shown. */
async function looked(name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await picture(page, `${name}-${colorScheme}`);
    assert.deepEqual(await violations(page), []);
  }
}

test('a table from a spreadsheet is taken in by what its columns are, and what was rejected is downloaded', async () => {
  const token = server.made.key;
  await server.done('POST', '/api/v1/custom-fields', { token, body: { name: 'Plan', type: 'select', options: ['free', 'gold'] } });
  await server.done('POST', '/api/v1/contacts', { token, body: { email: 'known@example.com', first_name: 'Known' } });
  await page.goto('/contacts');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Drop a CSV file here, or').waitFor();
  await looked('import');
  await choose(
    'E-Mail;Vorname;Plan;Notes\nada@example.com;"Ada; Countess";gold;met in May\nknown@example.com;Kay;free;\nno address;Nobody;gold;\n',
  );
  await dialog().getByText('people.csv: 3 rows').waitFor();
  await dialog().getByRole('combobox', { name: 'What “Vorname” becomes' }).click();
  await page.getByRole('option', { name: 'First name' }).click();
  await looked('import-columns');
  await dialog().getByRole('button', { name: 'Import 3 rows' }).click();
  await dialog().getByText('completed').waitFor();
  await dialog().getByText('3 of 3 rows').waitFor();
  await looked('import-result');
  const [saved] = await Promise.all([page.waitForEvent('download'), dialog().getByRole('button', { name: /Download the rejected/ }).click()]);
  assert.match(await readFile(await saved.path(), 'utf8'), /4,E-Mail,.*no address,Nobody/s);

  const found = await server.done('GET', '/api/v1/contacts?q=example.com&sort=created_at', { token });
  assert.deepEqual(
    found.data.map((it) => [it.email, it.first_name, it.custom_fields.plan]),
    [['known@example.com', 'Kay', 'free'], ['ada@example.com', 'Ada; Countess', 'gold']],
  );
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('row', { name: /ada@example.com/ }).waitFor();
  assert.equal(new URL(page.url()).searchParams.has('import'), false);
});

test('how far an import is moves, and it is halted where it is', async () => {
  await page.goto('/contacts?import=new');
  await page.getByRole('region', { name: 'Past imports' }).getByRole('row').nth(1).waitFor();
  await choose(`external_id,first_name\n${Array.from({ length: 40_000 }, (_, at) => `many-${at},Ada`).join('\n')}\n`);
  await dialog().getByRole('button', { name: 'Import 40,000 rows' }).click();
  const bar = dialog().getByRole('progressbar', { name: 'Progress' });
  const done = () => bar.evaluate((it) => it.value);
  const first = await until('the first rows are in', done, 20);
  await until('the bar moves', async () => (await done()) > first, 20);
  await page.reload();
  await until('it is shown again', async () => (await done()) > first, 20);
  await dialog().getByRole('button', { name: 'Cancel the import' }).click();
  await dialog().getByText('cancelled').waitFor();
  const last = await done();
  assert.ok(last < 40_000, `${last} rows`);
  await rest(page);
  assert.equal(await comes(dialog().getByRole('button', { name: 'Cancel the import' })), false);
  await dialog().getByRole('button', { name: 'All imports' }).click();
  await dialog().getByRole('cell', { name: 'cancelled' }).waitFor();
  await looked('imports');
  assert.deepEqual(faults, []);
});
