// A bulk operation on all contacts of a list: counted first, then followed to its end, and cancelled.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, picture, signIn, violations, visitor } from './browser.mjs';
import { Server, until } from './server.mjs';

const MANY = 30_000;
let server, browser, page, faults, tag;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  ({ page, faults } = await visitor(browser, server.origin));
  await signIn(page, server.made);
  const token = server.made.key;
  tag = await server.done('POST', '/api/v1/tags', { token, body: { name: 'vip' } });
  await server.done('POST', '/api/v1/tags', { token, body: { name: 'all' } });
  for (const name of ['Ada', 'Ada', 'Ada', 'Grace']) await server.done('POST', '/api/v1/contacts', { token, body: { first_name: name } });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const dialog = () => page.getByRole('dialog', { name: 'Bulk edit' });
const total = async (query) => (await server.done('GET', `/api/v1/contacts?${query}&include=total&limit=1`, { token: server.made.key })).total;

async function inspect(name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await picture(page, `${name}-${colorScheme}`);
    assert.deepEqual(await violations(page), []);
  }
}

async function choose(name) {
  await page.getByRole('button', { name: 'Bulk edit', exact: true }).click();
  await dialog().getByRole('combobox', { name: 'Tag' }).click();
  await page.getByRole('option', { name, exact: true }).click();
  await dialog().getByRole('button', { name: 'Count contacts' }).click();
}

test('tags and deletes only the contacts that match the filter', async () => {
  const filter = encodeURIComponent(JSON.stringify({ field: 'first_name', op: 'eq', value: 'Ada' }));
  await page.goto(`/contacts?filter=${filter}`);
  await choose('vip');
  await dialog().getByText('Add “vip” to 3 contacts?').waitFor();
  await inspect('bulk-sure');
  await dialog().getByRole('button', { name: 'Tag 3 contacts' }).click();
  await dialog().getByText('completed').waitFor();
  await dialog().getByText('3 of 3 contacts').waitFor();
  await inspect('bulk-done');
  assert.equal(await total(`tag=${tag.id}`), 3);
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('row', { name: /Ada.*vip/ }).first().waitFor();

  await page.getByRole('button', { name: 'Bulk edit', exact: true }).click();
  await dialog().getByRole('radio', { name: /Delete/ }).click();
  await dialog().getByRole('button', { name: 'Count contacts' }).click();
  await dialog().getByRole('button', { name: 'Delete 3 contacts' }).click();
  await dialog().getByText('completed').waitFor();
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('No contacts match').waitFor();
  assert.equal(await total('q=Grace'), 1);
});

test('shows the progress of a bulk edit, and cancels it', async () => {
  const lines = Array.from({ length: MANY }, (_, at) => `many-${at},Ada`).join('\n');
  const answer = await fetch(`${server.origin}/api/v1/contacts/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.made.key}`, 'Content-Type': 'text/csv' },
    body: `external_id,first_name\n${lines}\n`,
  });
  const { id } = await answer.json();
  const imported = () => server.done('GET', `/api/v1/contacts/imports/${id}`, { token: server.made.key });
  await until('enough contacts are imported', async () => (await imported()).counts.done > 6_000, 60);
  await server.done('POST', `/api/v1/contacts/imports/${id}/cancel`, { token: server.made.key });
  await page.goto('/contacts');
  await choose('all');
  await dialog().getByRole('button', { name: /^Tag .* contacts/ }).click();
  const bar = dialog().getByRole('progressbar', { name: 'Progress' });
  const done = () => bar.evaluate((it) => it.value);
  const first = await until('the first contacts are done', done, 20);
  await until('the bar moves', async () => (await done()) > first, 20);
  await dialog().getByRole('button', { name: 'Cancel bulk edit' }).click();
  await dialog().getByText('cancelled').waitFor();
  await dialog().getByRole('button', { name: 'All bulk edits' }).click();
  await dialog().getByRole('row', { name: /Added “all”.*cancelled/ }).waitFor();
  assert.deepEqual(faults, []);
});

test('adds a tag to selected contacts with one request, and removes it with another', async () => {
  for (const last_name of ['Babbage', 'Darwin', 'Dickens']) {
    await server.done('POST', '/api/v1/contacts', { token: server.made.key, body: { first_name: 'Charles', last_name } });
  }
  const asked = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && pathname.startsWith('/api/v1/contacts')) asked.push(`${request.method()} ${pathname}`);
  });
  const bar = page.getByRole('region', { name: 'Actions for the chosen contacts' });
  await page.goto('/contacts?q=Charles');
  await page.getByRole('checkbox', { name: 'Choose all loaded contacts' }).check();
  await bar.getByText('3 contacts chosen').waitFor();
  await bar.getByRole('button', { name: 'Add tag' }).click();
  await page.getByRole('textbox', { name: 'Find a tag' }).fill('picked');
  await page.getByRole('option', { name: 'Create tag “picked”' }).click();
  await bar.getByText('Done for 3 contacts.').waitFor();
  await page.getByRole('row', { name: /Charles.*picked/ }).first().waitFor();
  assert.equal(await total('tag=picked'), 3);
  await bar.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('checkbox', { name: /^Choose Charles/ }).first().check();
  await bar.getByRole('button', { name: 'Remove tag' }).click();
  await page.getByRole('option', { name: 'picked' }).click();
  await bar.getByText('Done for 1 contact.').waitFor();
  assert.equal(await total('tag=picked'), 2);
  await bar.getByRole('button', { name: 'Close' }).click();
  // Each change is one operation, and one search for its results.
  assert.deepEqual(asked, Array.from({ length: 2 }, () => ['POST /api/v1/contacts/bulk', 'POST /api/v1/contacts/search']).flat());
  assert.deepEqual(faults, []);
});
