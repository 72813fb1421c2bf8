// Tests of single pages in addition to the story: first steps, overlapping keys, and the live log.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { comes, launch, rest, signIn, visitor } from './browser.mjs';
import { Server, until } from './server.mjs';

const run = promisify(execFile);
let server, browser, page, faults;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  ({ page, faults } = await visitor(browser, server.origin));
  await signIn(page, server.made);
});
beforeEach(() => page.setViewportSize({ width: 1440, height: 900 }));
after(async () => {
  await browser?.close();
  await server?.stop();
});

const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

test('completes the four first steps automatically, and shows a curl command that works', async () => {
  await page.goto('/');
  const step = (name) => page.getByRole('button', { name, exact: false });
  await step('Create a key done').waitFor();
  await step('Create a key done').click();
  await page.getByRole('button', { name: 'Create another key for the call below' }).click();
  await page.getByText('The call below contains your key.').waitFor();
  await page.getByRole('button', { name: 'Copy the curl' }).first().click();
  const { stdout } = await run('sh', ['-c', `${await clipboard()} --silent`]);
  assert.equal(JSON.parse(stdout).workspace.id, server.made.workspace_id);
  await step('Make the first call done').waitFor();

  await page.getByLabel('Message of the contact').fill('Is anybody there?');
  await page.getByRole('button', { name: 'Create the sandbox and simulate' }).click();
  await step('Simulate a message done').waitFor();
  await step('See the events done').click();
  await page.getByText('message.received').waitFor();
  await page.getByText('contact.created').waitFor();
});

test('rotates a key, and accepts both keys during the overlap', async () => {
  const { email, password, workspace_id: ws } = server.made;
  const { access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } });
  const old = await server.done('POST', `/platform/workspaces/${ws}/api-keys`, { token, body: { name: 'rotated', scope: 'read' } });
  await page.goto(`/settings/api-keys?key=${old.id}`);
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByText('1 hour', { exact: true }).click();
  await page.getByText(/Both keys work until .* Then the old key is rejected/).waitFor();
  await page.getByRole('button', { name: 'Create the new key' }).click();
  await page.getByRole('button', { name: 'Copy the key' }).first().click();
  const key = await clipboard();
  await page.getByRole('button', { name: 'Done' }).click();
  for (const each of [key, old.key]) assert.equal((await server.call('GET', '/api/v1/me', { token: each })).status, 200);
  assert.equal(await page.getByRole('row', { name: /rotated/ }).count(), 2);
});

test('the usage log shows new requests, groups errors, and exports a CSV file', async () => {
  const key = server.made.key;
  await page.goto('/developers/log');
  await page.getByRole('switch', { name: /Live tail/ }).check({ force: true });
  await server.call('POST', '/api/v1/tags', { token: key, body: { nmae: 'vip' } });
  await page.getByRole('row', { name: /POST \/tags 422/ }).waitFor();
  await page.getByRole('switch', { name: /Live tail/ }).uncheck({ force: true });

  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /CSV/ }).click()]);
  const csv = await readFile(await file.path(), 'utf8');
  assert.match(csv, /^at,method,route,status,/);
  assert.match(csv, /POST,\/api\/v1\/tags,422,/);
  assert.equal(csv.includes('vip'), false, 'values are not stored');

  await until('the group is counted', async () => {
    await page.goto('/developers/log?tab=errors');
    await rest(page);
    return comes(page.getByRole('row', { name: /validation_failed.*\/tags/ }));
  });
  await page.getByRole('row', { name: /validation_failed.*\/tags/ }).click();
  await page.getByRole('row', { name: /POST \/tags 422/ }).waitFor();
  assert.match(page.url(), /error_code=validation_failed/);
});

test('creates, previews, updates and deletes a segment that a broadcast uses', async () => {
  const token = server.made.key;
  for (const first_name of ['Ada', 'Ada', 'Grace']) await server.done('POST', '/api/v1/contacts', { token, body: { first_name } });
  const filter = encodeURIComponent(JSON.stringify({ field: 'first_name', op: 'eq', value: 'Ada' }));
  await page.goto(`/contacts?filter=${filter}`);
  await page.getByRole('link', { name: 'Save as segment' }).click();
  const drawer = page.getByRole('dialog', { name: 'Create segment' });
  await drawer.getByText('2 contacts are in it now').waitFor();
  await drawer.getByLabel('Name', { exact: true }).fill('Adas');
  await drawer.getByRole('button', { name: 'Create segment' }).click();
  await page.getByRole('row', { name: /Adas.*First name is .*Ada.* 2 / }).waitFor();
  const one = (await server.done('GET', '/api/v1/segments', { token })).data.find((it) => it.name === 'Adas');

  await page.getByRole('row', { name: /Adas/ }).click();
  const open = page.getByRole('dialog', { name: 'Adas' });
  await open.getByRole('textbox', { name: 'Value' }).fill('Grace');
  await open.getByText('1 contact is in it now').waitFor();
  await open.getByRole('button', { name: 'Save changes' }).click();
  await until('the segment is changed', async () => (await server.done('GET', `/api/v1/segments/${one.id}`, { token })).condition.value === 'Grace');

  const body = { name: 'Spring news', audience: { segment_id: one.id }, message: { type: 'text', text: 'Hello' } };
  await server.done('POST', '/api/v1/broadcasts', { token, body });
  await open.getByRole('button', { name: 'Delete segment' }).click();
  const asked = page.getByRole('dialog', { name: 'Delete “Adas”?' });
  await asked.getByRole('button', { name: 'Delete segment' }).click();
  await asked.getByText('Spring news').waitFor();
  await asked.getByRole('button', { name: 'Delete anyway' }).click();
  await until('the segment is deleted', async () => (await server.call('GET', `/api/v1/segments/${one.id}`, { token })).status === 404);
  await page.getByText('None yet').waitFor();
});

test('selects a time span of the histogram by keyboard, and stores it in the address', async () => {
  await page.goto('/developers/log');
  await rest(page);
  const histogram = page.getByLabel('Select a time span');
  await histogram.focus();
  for (const key of ['ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Enter']) await page.keyboard.press(key);
  await page.waitForURL(/from=.*to=|to=.*from=/);
  await page.getByRole('button', { name: /Remove the time span/ }).click();
  await page.waitForURL((address) => !address.searchParams.has('from'));
});

test('renames a workspace, and shows a concurrent change instead of overwriting it', async () => {
  const { email, password, workspace_id: ws } = server.made;
  const { access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } });
  await page.goto('/settings/workspace');
  await page.getByLabel('Name').fill('Acme');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('button', { name: /^Acme/ }).waitFor();
  await page.getByLabel('Name').fill('Mine');
  await server.done('PATCH', `/platform/workspaces/${ws}`, { token, body: { name: 'Theirs' } });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Theirs').first().waitFor();
  await page.getByRole('button', { name: /Save my changes/ }).click();
  await until('mine is saved', async () => (await server.done('GET', `/platform/workspaces/${ws}`, { token })).name === 'Mine');
});

test('Home lists a flow with failed runs, and links to these runs', async () => {
  const token = server.made.key;
  const call = { id: 'ask', type: 'http_request', method: 'GET', url: 'https://shop.invalid/{{ contact.first_name | date }}', next: 'end' };
  const definition = { start: 'ask', nodes: [call, { id: 'end', type: 'end' }] };
  const flow = await server.done('POST', '/api/v1/flows', { token, body: { name: 'Order status', definition } });
  await server.done('POST', `/api/v1/flows/${flow.id}/publish`, { token });
  const { id } = await server.done('POST', '/api/v1/contacts', { token, body: { first_name: 'Alan' } });
  await server.done('POST', `/api/v1/contacts/${id}/start-flow`, { token, body: { flow_id: flow.id } });
  await until('the run is counted', async () => {
    const { by_flow: flows } = await server.done('GET', '/api/v1/analytics/overview', { token });
    return flows.some((it) => it.flow_id === flow.id && it.runs.failed === 1);
  }, 30);
  await page.goto('/');
  const failing = page.getByRole('link', { name: /1 run of “Order status” failed/ });
  await failing.click();
  await page.waitForURL(/tab=runs.*status=failed|status=failed.*tab=runs/);
  await page.getByRole('cell', { name: 'failed', exact: true }).waitFor();
});

test('shows the storage by type of object to viewers too', async () => {
  const { workspace_id: ws } = server.made;
  const token = (await server.done('POST', '/auth/login', { body: { email: server.made.email, password: server.made.password } })).access_token;
  const { invitation_token: open } = await server.done('POST', `/platform/workspaces/${ws}/members`, { token, body: { email: 'lee@example.com', role: 'viewer' } });
  await server.done('POST', `/auth/invitations/${open}`, { body: { name: 'Lee', password: 'a long enough password' } });
  const lee = await visitor(browser, server.origin);
  await signIn(lee.page, { email: 'lee@example.com', password: 'a long enough password' });
  await lee.page.goto('/settings/storage');
  const { by_kind: kinds } = await server.done('GET', `/platform/workspaces/${ws}/storage`, { token });
  assert.ok(kinds.contacts > 0);
  await lee.page.getByRole('row', { name: /^Contacts .* B$/ }).waitFor();
  assert.equal(await lee.page.getByText('Busiest minute of the last hour').count(), 0);
  assert.deepEqual(lee.faults, []);
  await lee.context.close();
});

test('changes the role of a member, and reports too many sign-ins and an unreachable server', async () => {
  const { workspace_id: ws, email, password } = server.made;
  const { access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } });
  const { invitation_token: open } = await server.done('POST', `/platform/workspaces/${ws}/members`, { token, body: { email: 'kay@example.com', role: 'viewer' } });
  await server.done('POST', `/auth/invitations/${open}`, { body: { name: 'Kay', password: 'a long enough password' } });
  await page.goto('/settings/members');
  await page.getByRole('cell', { name: 'Kay', exact: true }).click();
  await page.getByRole('radio', { name: /^member/ }).click();
  await page.getByRole('button', { name: 'Change role' }).click();
  await until('Kay is a member', async () => {
    const { data } = await server.done('GET', `/platform/workspaces/${ws}/members`, { token });
    return data.some((it) => it.email === 'kay@example.com' && it.role === 'member');
  });

  const { page: signInPage, context } = await visitor(browser, server.origin);
  await signInPage.goto('/login');
  await signInPage.getByLabel('Email').fill('kay@example.com');
  for (let guess = 0; guess < 7; guess += 1) {
    await signInPage.getByLabel('Password', { exact: true }).fill(`guess ${guess}`);
    await signInPage.getByRole('button', { name: 'Sign in' }).click();
    await signInPage.getByRole('alert').waitFor();
  }
  await signInPage.getByText(/Too many attempts. Try again in \d+ seconds/).waitFor();
  await context.setOffline(true);
  await signInPage.getByRole('button', { name: 'Sign in' }).click();
  await signInPage.getByText('The service cannot be reached.').waitFor();
  await context.close();
  assert.deepEqual(faults, []);
});

test('the server filters lists of several pages, and the address contains the filter', async () => {
  const token = server.made.key;
  for (let at = 0; at < 120; at += 1) await server.done('POST', '/api/v1/tags', { token, body: { name: `group ${String(at).padStart(3, '0')}` } });
  await page.goto('/settings/tags');
  await page.getByRole('row', { name: /group 000/ }).waitFor();
  assert.equal(await page.getByRole('row', { name: /group 119/ }).count(), 0, 'it is on the next page');
  await page.getByRole('textbox', { name: 'Filter by name' }).fill('119');
  await page.getByRole('row', { name: /group 119/ }).waitFor();
  await page.waitForURL((address) => address.searchParams.get('q')?.includes('119'));
  await page.reload();
  await page.getByRole('row', { name: /group 119/ }).waitFor();
  assert.equal(await page.getByRole('row').count(), 2);
  for (const path of ['/settings/tags', '/segments', '/flows', '/sequences', '/broadcasts', '/channels', '/webhooks']) {
    const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('q') === 'nowhere');
    await page.goto(`${path}?q=nowhere`);
    await asked;
    await page.getByText(/matches the filters|has “nowhere” in it/).waitFor();
    await page.getByRole('button', { name: /Clear the filter|Show all/ }).click();
    await page.waitForURL((address) => !address.searchParams.has('q'));
  }
});
