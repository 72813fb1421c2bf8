// Creates, changes and deletes objects on every page, and checks the results with the API. Segments, keys,
// roles and the workspace are in `rooms` and `story`. Imports and bulk operations have their own files.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, picture, signIn, visitor } from './browser.mjs';
import { Server, until } from './server.mjs';

let server, browser, page, faults, token;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  token = server.made.key;
  ({ page, faults } = await visitor(browser, server.origin));
  await signIn(page, server.made);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const read = (path) => server.done('GET', `/api/v1/${path}`, { token });
const dialog = (name) => page.getByRole('dialog', { name, exact: true });
const field = (within, name) => within.getByRole('textbox', { name, exact: true });
const press = (within, name) => within.getByRole('button', { name, exact: true }).click();
/** Saves the changes and waits for the response. Leaving the page earlier would open a question. */
const save = async (within) => {
  await press(within, 'Save changes');
  await within.getByRole('button', { name: 'Save changes', exact: true }).waitFor({ state: 'detached' });
};
const open = (name) => page.getByRole('cell', { name, exact: true }).click();
const choose = async (menu, item) => {
  await press(page, menu);
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

/** The ID of the object with this name, after it was created. */
async function made(list, name) {
  const found = await until(`${name} is in ${list}`, async () => (await read(list)).data.find((it) => it.name === name));
  return found.id;
}
/** Waits until the API returns this value. */
const becomes = (path, key, value) => until(`${key} of ${path} is ${value}`, async () => (await read(path))[key] === value);
/** Waits until the API returns 404. */
const gone = (path) => until(`${path} is deleted`, async () => (await server.call('GET', `/api/v1/${path}`, { token })).status === 404);
/** The ID in the address, after the page of an object opened. */
async function opened(path) {
  await page.waitForURL((address) => address.pathname.startsWith(`${path}/`));
  return new URL(page.url()).pathname.split('/').at(-1);
}

for (const [kind, path, list] of [
  ['tag', '/settings/tags', 'tags'],
  ['custom field', '/settings/fields', 'custom-fields'],
  ['bot field', '/settings/bot-fields', 'bot-fields'],
]) {
  test(`creates, renames and deletes a ${kind}`, async () => {
    await page.goto(`${path}?create=true`);
    await field(dialog(`Create ${kind}`), 'Name').fill('Before');
    await press(dialog(`Create ${kind}`), `Create ${kind}`);
    const id = await made(list, 'Before');
    await open('Before');
    const drawer = page.getByRole('dialog', { name: /^(Before|After)$/ });
    await field(drawer, 'Name').fill('After');
    await save(drawer);
    await becomes(`${list}/${id}`, 'name', 'After');
    await press(drawer, `Delete ${kind}`);
    await press(dialog('Delete “After”?'), `Delete ${kind}`);
    await gone(`${list}/${id}`);
    await page.getByText('None yet').waitFor();
  });
}

test('creates, updates and deletes a saved reply', async () => {
  await page.goto('/settings/saved-replies?create=true');
  const form = dialog('Create saved reply');
  await field(form, 'Name').fill('Hours');
  await field(form, 'Text').fill('We open at nine.');
  await press(form, 'Create saved reply');
  const id = await made('saved-replies', 'Hours');
  await open('Hours');
  await field(dialog('Hours'), 'Text').fill('We open at ten.');
  await save(dialog('Hours'));
  await becomes(`saved-replies/${id}`, 'text', 'We open at ten.');
  await press(dialog('Hours'), 'Delete saved reply');
  await press(dialog('Delete “Hours”?'), 'Delete saved reply');
  await gone(`saved-replies/${id}`);
});

test('adds, replaces and deletes a secret, and never shows its value', async () => {
  await page.goto('/settings/secrets?create=true');
  const form = dialog('Add a secret');
  await field(form, 'Name').fill('CRM_TOKEN');
  await form.getByLabel('Value', { exact: true }).fill('never to be shown');
  await field(form, 'Hosts').fill('api.crm.example');
  await press(form, 'Add a secret');
  await until('the secret exists', async () => (await server.call('GET', '/api/v1/secrets/CRM_TOKEN', { token })).status === 200);
  await open('CRM_TOKEN');
  const again = dialog('Replace CRM_TOKEN');
  await again.getByLabel('Value', { exact: true }).fill('another one');
  await field(again, 'Hosts').fill('eu.crm.example');
  await press(again, 'Replace secret');
  await until('the secret is replaced', async () => (await read('secrets/CRM_TOKEN')).hosts.join() === 'eu.crm.example');
  await again.waitFor({ state: 'detached' });
  assert.equal(/never to be shown|another one/.test(await page.content()), false);
  await open('CRM_TOKEN');
  await press(again, 'Delete');
  await press(dialog('Delete CRM_TOKEN?'), 'Delete secret');
  await gone('secrets/CRM_TOKEN');
});

test('adds, renames, disconnects and deletes a channel', async () => {
  await page.goto('/channels?create=true');
  const form = dialog('Add a channel');
  await form.getByRole('radio', { name: /^Sandbox/ }).click();
  await field(form, 'Name').fill('Trial');
  await press(form, 'Add a channel');
  const id = await made('channels', 'Trial');
  await press(dialog('Your new channel'), 'Open the channel');
  const drawer = page.getByRole('dialog', { name: /^(Trial|Support)$/ });
  await field(drawer, 'Name').fill('Support');
  await save(drawer);
  await becomes(`channels/${id}`, 'name', 'Support');
  await press(drawer, 'Disconnect');
  await press(dialog('Disconnect Support?'), 'Disconnect');
  await becomes(`channels/${id}`, 'status', 'disconnected');
  await press(drawer, 'Connect');
  await becomes(`channels/${id}`, 'status', 'connected');
  await press(drawer, 'Delete');
  await press(dialog('Delete Support?'), 'Delete channel');
  await gone(`channels/${id}`);
});

test('creates, updates, pauses and deletes a webhook', async () => {
  await page.goto('/webhooks?create=true');
  const form = dialog('Create webhook');
  await field(form, 'Address').fill('https://hooks.invalid/crm');
  await form.getByText('All, including future ones').click();
  await press(form, 'Create webhook');
  await press(dialog('Your new webhook'), 'Open the webhook');
  const id = await opened('/webhooks');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await field(page, 'Description').fill('Keeps the CRM in step');
  await save(page);
  await becomes(`webhooks/${id}`, 'description', 'Keeps the CRM in step');
  await choose('More actions', 'Pause');
  await becomes(`webhooks/${id}`, 'status', 'paused');
  await choose('More actions', 'Delete');
  await press(dialog('Delete this webhook?'), 'Delete webhook');
  await gone(`webhooks/${id}`);
});

test('creates, renames, duplicates and deletes a flow', async () => {
  await page.goto('/flows?create=true');
  await field(dialog('Create flow'), 'Name').fill('Before');
  await press(dialog('Create flow'), 'Create flow');
  const id = await opened('/flows');
  await press(page, 'Rename');
  await field(page, 'The flow’s name').fill('After');
  await page.keyboard.press('Enter');
  await becomes(`flows/${id}`, 'name', 'After');
  await choose('More', 'Duplicate');
  await page.getByRole('heading', { name: 'After (copy)', level: 1 }).waitFor();
  const copy = await opened('/flows');
  assert.deepEqual((await read(`flows/${copy}`)).definition, (await read(`flows/${id}`)).definition);
  await choose('More', 'Delete');
  await press(dialog('Delete After (copy)?'), 'Delete flow');
  await gone(`flows/${copy}`);
  assert.equal((await read(`flows/${id}`)).name, 'After');
});

test('creates, renames and deletes a sequence', async () => {
  await page.goto('/sequences?create=true');
  await field(dialog('Create sequence'), 'Name').fill('Before');
  await press(dialog('Create sequence'), 'Create sequence');
  const id = await opened('/sequences');
  await press(page, 'Rename');
  await field(page, 'The sequence’s name').fill('After');
  await page.keyboard.press('Enter');
  await becomes(`sequences/${id}`, 'name', 'After');
  await choose('More', 'Delete');
  await press(dialog('Delete After?'), 'Delete sequence');
  await gone(`sequences/${id}`);
});

test('creates, updates and deletes the draft of a broadcast', async () => {
  await page.goto('/broadcasts?create=true');
  const form = dialog('Create broadcast');
  await field(form, 'Name').fill('Before');
  await field(form, 'Message').fill('We open at nine.');
  await press(form, 'Create draft');
  const id = await opened('/broadcasts');
  await page.getByRole('heading', { name: 'Before', level: 1 }).waitFor();
  await field(page, 'Name').fill('After');
  await save(page);
  await becomes(`broadcasts/${id}`, 'name', 'After');
  await press(page, 'Delete');
  await press(dialog('Delete “After”?'), 'Delete broadcast');
  await gone(`broadcasts/${id}`);
});

test('creates, updates, exports, deletes and restores a contact', async () => {
  await page.goto('/contacts?create=true');
  await field(dialog('Create contact'), 'First name').fill('Ada');
  await press(dialog('Create contact'), 'Create contact');
  const id = await opened('/contacts');
  await page.getByRole('tab', { name: 'Profile' }).click();
  await field(page, 'First name').fill('Grace');
  await save(page);
  await becomes(`contacts/${id}`, 'first_name', 'Grace');
  await page.goto('/contacts?q=Grace');
  await press(page, 'Export');
  const [table] = await Promise.all([page.waitForEvent('download'), press(dialog('Export contacts'), 'Export as CSV')]);
  assert.match(table.suggestedFilename(), /^contacts-.*\.csv$/);
  await page.goto(`/contacts/${id}`);
  await choose('More actions for this contact', 'Delete contact');
  await press(dialog('Delete Grace?'), 'Delete contact');
  await gone(`contacts/${id}`);
  await page.goto(`/contacts/${id}`);
  await press(page, 'Restore contact');
  await page.getByRole('tab', { name: 'Profile' }).waitFor();
  await becomes(`contacts/${id}`, 'first_name', 'Grace');
});

test('withdraws an invitation, and removes a member', async () => {
  const platform = `/platform/workspaces/${server.made.workspace_id}`;
  const { email, password } = server.made;
  const { access_token: own } = await server.done('POST', '/auth/login', { body: { email, password } });
  const invite = (address) => server.done('POST', `${platform}/members`, { token: own, body: { email: address, role: 'member' } });
  const there = async (address) => (await server.done('GET', `${platform}/members`, { token: own })).data.some((it) => it.email === address);
  await invite('eve@example.com');
  const { invitation_token: link } = await invite('kay@example.com');
  await server.done('POST', `/auth/invitations/${link}`, { body: { name: 'Kay', password: 'a long enough password' } });
  await page.goto('/settings/members');
  await open('eve@example.com');
  await press(dialog('eve@example.com'), 'Withdraw');
  await press(dialog('Withdraw the invitation of eve@example.com?'), 'Withdraw invitation');
  await until('the invitation is deleted', async () => !(await there('eve@example.com')));
  await open('kay@example.com');
  await press(dialog('Kay'), 'Remove');
  await press(dialog('Remove Kay?'), 'Remove member');
  await until('the member is removed', async () => !(await there('kay@example.com')));
});

test('pauses and resumes sending', async () => {
  const { email, password, workspace_id: ws } = server.made;
  const { access_token: own } = await server.done('POST', '/auth/login', { body: { email, password } });
  const outbound = async () => (await server.done('GET', `/platform/workspaces/${ws}`, { token: own })).outbound;
  await page.goto('/settings/workspace');
  await press(page, 'Pause sending');
  await press(dialog('Pause sending?'), 'Pause sending');
  await until('sending is paused', async () => (await outbound()) === 'hold');
  await page.getByText('Sending is paused for this workspace').waitFor();
  await press(page, 'Resume sending');
  await press(dialog('Resume sending?'), 'Resume sending');
  await until('sending is resumed', async () => (await outbound()) === 'send');
  await page.getByText('Sending is paused for this workspace').waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
});

test('exports, deletes and restores a workspace', async () => {
  const { email, password, workspace_id: ws } = server.made;
  const { access_token: own } = await server.done('POST', '/auth/login', { body: { email, password } });
  const workspace = () => server.done('GET', `/platform/workspaces/${ws}`, { token: own });
  const { name } = await workspace();
  await page.goto('/settings/workspace');
  const download = page.waitForEvent('download');
  await press(page, 'Export all data');
  assert.equal((await download).suggestedFilename(), `${ws}.tar.gz`);

  await press(page, 'Delete workspace');
  const asked = dialog(`Delete “${name}”?`);
  await asked.getByText('API keys').waitFor();
  const confirm = asked.getByRole('button', { name: 'Delete workspace', exact: true });
  assert.equal(await confirm.isDisabled(), true, 'the name is not typed yet');
  await field(asked, 'Type the name of the workspace to confirm').fill(name);
  await picture(page, 'delete-workspace');
  await confirm.click();
  await page.getByRole('heading', { name: `“${name}” is deleted` }).waitFor();
  assert.notEqual((await workspace()).deleted_at, null);
  await picture(page, 'deleted-workspace');

  await page.getByText('Send late messages').click();
  await press(page, 'Restore');
  await until('it is restored', async () => (await workspace()).deleted_at === null);
  await page.getByRole('heading', { name: 'Workspace', exact: true }).waitFor();
  assert.equal((await workspace()).outbound, 'send');
  assert.deepEqual(faults, []);
});
