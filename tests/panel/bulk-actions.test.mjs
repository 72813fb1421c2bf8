// Bulk actions on contacts by keyboard. Each shows the number of contacts first and its result afterwards.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, picture, signIn, violations, visitor } from './browser.mjs';
import { Hands } from './hands.mjs';
import { inbound, Server, until } from './server.mjs';

const MANY = 130;
let server, browser, page, faults, hands;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  await post('custom-fields', { name: 'Plan', type: 'select', options: ['free', 'gold'] });
  await importMany();
  const message = { type: 'send_message', message: { type: 'text', text: 'Good morning' } };
  const flow = await post('flows', { name: 'Welcome', definition: { start: 'hello', nodes: [{ id: 'hello', ...message, next: 'end' }, { id: 'end', type: 'end' }] } });
  await post(`flows/${flow.id}/publish`);
  await post('sequences', { name: 'First week', status: 'active', steps: [{ id: 'hello', delay: 'P1D', action: message }] });
  await optOut();
  ({ page, faults } = await visitor(browser, server.origin));
  hands = new Hands(page);
  await signIn(page, server.made);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const post = (path, body) => server.done('POST', `/api/v1/${path}`, { token: server.made.key, body });
const read = (path) => server.done('GET', `/api/v1/${path}`, { token: server.made.key });
const total = async (query) => (await read(`contacts?${query}&include=total&limit=1`)).total;

/** More contacts than the list loads at once. */
async function importMany() {
  const rows = Array.from({ length: MANY }, (_, at) => `many-${at},Ada`).join('\n');
  const headers = { Authorization: `Bearer ${server.made.key}`, 'Content-Type': 'text/csv' };
  const answer = await fetch(`${server.origin}/api/v1/contacts/import`, { method: 'POST', headers, body: `external_id,first_name\n${rows}\n` });
  const { id } = await answer.json();
  await until('the contacts are imported', async () => (await read(`contacts/imports/${id}`)).status === 'completed');
}

/** Grace opts out by a message, and the API unsubscribes Vincent. */
async function optOut() {
  const chat = await post('channels', { kind: 'http', name: 'Chat', config: { url: 'https://provider.invalid/' } });
  await post(`channels/${chat.id}/connect`);
  const from = { address: 'grace', name: 'Grace Hopper' };
  await inbound(server, chat, { type: 'message', id: 'stop', from, text: 'STOP' });
  await post('contacts', { first_name: 'Vincent', last_name: 'Hopper', subscribed: false });
  await until('Grace is stored', async () => (await total('q=Hopper')) === 2);
}

const dialog = () => page.getByRole('dialog', { name: 'Bulk edit' });
const bar = () => page.getByRole('region', { name: 'Actions for the chosen contacts' });
const press = async (element, key = 'Enter') => {
  await hands.tabTo(element);
  await hands.press(key);
};

/** Selects an action in the dialog, and its tag, field, sequence or flow. */
async function choose(action, select, option) {
  await dialog().getByRole('radio', { name: action }).waitFor();
  await press(dialog().getByRole('radio', { name: action }), 'Space');
  if (select) await pick(select, option);
}

async function pick(select, option) {
  await hands.tabTo(dialog().getByRole('combobox', { name: select, exact: true }));
  await hands.press('ArrowDown');
  await page.getByRole('option', { name: option, exact: true }).waitFor();
  await hands.type(option);
  await hands.press('ArrowDown', 'Enter');
}

/** Counts the contacts, starts the action, and reads the numbers of its result. */
async function start({ question, verb, result }) {
  await press(dialog().getByRole('button', { name: 'Count contacts' }));
  await dialog().getByText(question).waitFor();
  await press(dialog().getByRole('button', { name: verb }));
  await dialog().getByRole('button', { name: 'All bulk edits' }).waitFor();
  await dialog().getByText('completed').waitFor();
  for (const [name, value] of Object.entries(result)) {
    const fact = dialog().locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('xpath=following-sibling::dd[1]');
    assert.equal(await fact.textContent(), value, name);
  }
  assert.deepEqual(await violations(page), []);
}

async function leave() {
  await hands.press('Escape');
  await dialog().waitFor({ state: 'detached' });
}

test('sets a field of all contacts in the list, and clears it again', async () => {
  await page.goto('/contacts?q=Ada');
  await page.getByRole('row', { name: /Ada/ }).first().waitFor();
  await press(page.getByRole('checkbox', { name: 'Choose all loaded contacts' }), 'Space');
  await press(bar().getByRole('button', { name: `Choose all ${MANY} contacts` }));
  await bar().getByText(`All ${MANY} contacts chosen`).waitFor();
  await press(bar().getByRole('button', { name: 'Choose an action' }));
  await choose(/^Set a field/, 'Custom field', 'Plan');
  await pick('Value', 'gold');
  await start({
    question: `Set “Plan” of ${MANY} contacts to “gold”?`,
    verb: `Change ${MANY} contacts`,
    result: { Changed: `${MANY}`, Unchanged: '0', Failed: '0' },
  });
  assert.equal(await total('custom_fields.plan=gold'), MANY);
  await leave();

  await press(page.getByRole('button', { name: 'Bulk edit', exact: true }));
  await choose(/^Clear a field/, 'Custom field', 'Plan');
  await start({
    question: `Clear “Plan” of ${MANY} contacts?`,
    verb: `Clear the field of ${MANY} contacts`,
    result: { Changed: `${MANY}`, Unchanged: '0', Failed: '0' },
  });
  assert.equal(await total('custom_fields.plan=gold'), 0);
  await leave();
  assert.deepEqual(faults, []);
});

test('contacts that opted out themselves stay opted out', async () => {
  await page.goto('/contacts?q=Hopper');
  await page.getByRole('row', { name: /Grace Hopper/ }).waitFor();
  await press(page.getByRole('button', { name: 'Bulk edit', exact: true }));
  await choose(/^Subscribe/);
  await start({ question: 'Subscribe 2 contacts?', verb: 'Subscribe 2 contacts', result: { Changed: '1', 'Still opted out': '1' } });
  await dialog().getByText('These contacts opted out themselves').waitFor();
  await picture(page, 'bulk-still-opted-out');
  await leave();
  assert.equal(await total('subscribed=true&q=Vincent'), 1);
});

test('enrolls selected contacts in a sequence, and starts a flow for them', async () => {
  await page.goto('/contacts?q=Ada');
  const row = page.getByRole('row', { name: /Ada/ }).first();
  await row.waitFor();
  // Skips to the content.
  await hands.press('Tab', 'Enter');
  await press(row, 'x');
  await hands.press('j', 'x');
  await bar().getByText('2 contacts chosen').waitFor();
  await press(bar().getByRole('button', { name: 'More actions' }));
  await choose(/^Enroll in a sequence/, 'Sequence', 'First week');
  await start({ question: 'Enroll 2 contacts in “First week”?', verb: 'Enroll 2 contacts', result: { Changed: '2', Failed: '0' } });
  await leave();

  await press(bar().getByRole('button', { name: 'More actions' }));
  await choose(/^Start a flow/, 'Flow', 'Welcome');
  await start({ question: 'Start “Welcome” for 2 contacts?', verb: 'Start the flow for 2 contacts', result: { Changed: '2', Failed: '0' } });
  await leave();
  assert.equal((await read('flow-runs?limit=10')).data.length, 2);
  assert.deepEqual(faults, []);
});
