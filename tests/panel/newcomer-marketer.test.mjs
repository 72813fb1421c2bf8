// The first day of a marketer: a table from a spreadsheet program, a segment, a flow, a sequence and a
// broadcast, and their results.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, rest, signIn, visitor } from './browser.mjs';
import { Hands, middleOf, tableOf } from './hands.mjs';
import { Server, until } from './server.mjs';

const ROWS = 500;
const PLACES = ['Köln', 'München', 'Düren', 'Berlin', 'Fürth'];

/** A customer in the table. Every fifth lives in Köln. */
const customer = (at) => ({
  email: `kunde${at}@example.com`,
  first: at % 2 === 0 ? 'Jürgen' : 'Zoë',
  last: `Müller ${at}`,
  phone: `0171 ${String(2_000_000 + at)}`,
  revenue: 1_000 + at + 0.5,
  since: `${String((at % 28) + 1).padStart(2, '0')}.03.2026`,
  place: PLACES[at % PLACES.length],
});
const CUSTOMERS = Array.from({ length: ROWS }, (_, at) => customer(at));
const german = (it) => it.toLocaleString('de-DE', { minimumFractionDigits: 2 });
const TABLE = ['E-Mail;Vorname;Nachname;Telefon;Umsatz;Kunde seit;Ort']
  .concat(CUSTOMERS.map((it) => [it.email, it.first, it.last, it.phone, german(it.revenue), it.since, it.place].join(';')))
  .join('\r\n');

let server, browser, page, faults, hands, token, sandbox;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  const { email, password, workspace_id: ws } = server.made;
  ({ access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } }));
  sandbox = await server.done('POST', `/platform/workspaces/${ws}/sandbox`, { token });
  ({ page, faults } = await visitor(browser, server.origin));
  await signIn(page, server.made);
  hands = new Hands(page);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const read = (path) => server.done('GET', `/api/v1/${path}`, { token, workspace: sandbox.id });
const button = (within, name) => within.getByRole('button', { name, exact: true });
const combobox = (within, name) => within.getByRole('combobox', { name, exact: true });
const openId = () => new URL(page.url()).pathname.split('/')[2];
const dialog = (name) => page.getByRole('dialog', { name, exact: true });
const open = (path) => page.goto(`${path}?ws=${sandbox.id}`);

/** Creates a field for a column of the table. */
async function createField(column) {
  await hands.pick(combobox(page, `Import “${column}” as`), 'Create field…');
  await hands.click(button(dialog(`Create a field for “${column}”`), 'Create custom field'));
  await dialog(`Create a field for “${column}”`).waitFor({ state: 'detached' });
}

test('imports all 500 rows of a German table', async () => {
  await open('/contacts');
  await hands.task('import', { limit: 14, before: '14 clicks, 0 of 500 rows' }, async () => {
    await hands.click(button(page, 'Import').first());
    await hands.upload(button(page, 'Choose a file'), { name: 'kunden.csv', mimeType: 'text/csv', buffer: Buffer.from(TABLE, 'latin1') });
    await page.getByText('Detected: windows-1252, semicolon').waitFor();
    await hands.click(button(page, 'Continue to the columns'));
    await page.getByText('4 columns need a decision').waitFor();
    await hands.pick(combobox(page, 'Format of “Telefon”'), 'Germany');
    for (const column of ['Umsatz', 'Kunde seit', 'Ort']) await createField(column);
    await page.getByText('All columns are ready').waitFor();
    await hands.click(button(page, 'Continue to the check'));
    await page.getByText('All cells fit their columns.').waitFor();
    await hands.click(button(page, `Import ${ROWS} rows`));
    await page.getByText(`${ROWS} of ${ROWS} rows`).waitFor();
    await page.getByText('completed').waitFor();
  });
  await equalsTheTable();
});

/** Compares all contacts with the rows of the table. */
async function equalsTheTable() {
  const { data: fields } = await read('custom-fields?limit=100');
  const keyOf = (name) => fields.find((it) => it.name === name).key;
  const found = [];
  for (let cursor = ''; cursor !== undefined; ) {
    const { data, next_cursor: next } = await read(`contacts?limit=100&sort=created_at${cursor && `&cursor=${cursor}`}`);
    found.push(...data);
    cursor = next ?? undefined;
  }
  const rows = new Map(found.map((it) => [it.email, it]));
  assert.equal(rows.size, ROWS);
  for (const it of CUSTOMERS) {
    const { first_name, last_name, phone, custom_fields: custom } = rows.get(it.email);
    const [day, month, year] = it.since.split('.');
    assert.deepEqual(
      [first_name, last_name, phone, custom[keyOf('Umsatz')], custom[keyOf('Kunde seit')], custom[keyOf('Ort')]],
      [it.first, it.last, `+49${it.phone.replace(' ', '').slice(1)}`, it.revenue, `${year}-${month}-${day}`, it.place],
    );
  }
}

test('a segment contains the customers of a place', async () => {
  await open('/segments');
  await hands.task('segment', { limit: 6 }, async () => {
    await hands.click(button(page, 'Create segment').first());
    const form = dialog('Create segment');
    await form.getByLabel('Name', { exact: true }).waitFor();
    await hands.type('Customers in Köln');
    await hands.pick(combobox(form, 'Field'), 'Ort');
    await hands.click(form.getByRole('textbox', { name: 'Value' }));
    await hands.type('Köln');
    await form.getByText(`${ROWS / PLACES.length} contacts are in it now`).waitFor();
    await hands.click(button(form, 'Create segment'));
    await page.getByRole('row', { name: /Customers in Köln/ }).waitFor();
  });
});

const OPTIONS = ['Brakes', 'Tyre'];
/** Waits until a field has the focus. */
const focusOn = (label) => page.getByLabel(label, { exact: true }).and(page.locator(':focus')).waitFor();
const card = (id) => page.locator(`.react-flow__node[data-id="${id}"]`);
const port = (id, exit = 'next') => card(id).locator(`.react-flow__handle[data-handleid="${exit}"]`);

/** A point of the canvas with empty space around it. A wire that is dropped there opens the menu of steps. */
const emptyPlace = () => page.evaluate(() => {
  const pane = document.querySelector('.react-flow__pane');
  const { left, right, top, bottom } = pane.getBoundingClientRect();
  const isEmpty = (x, y) => [-45, 0, 45].every((by) => [-45, 0, 45].every((down) => document.elementFromPoint(x + by, y + down) === pane));
  for (let y = bottom - 90; y > top + 90; y -= 30) {
    for (let x = right - 90; x > left + 90; x -= 30) if (isEmpty(x, y)) return { x, y };
  }
  throw new Error('the canvas has no empty place');
});

/** Drags a wire from an exit to the empty canvas and selects the step to add. */
async function wireToNew(from, name) {
  const before = await page.locator('.react-flow__node').count();
  await hands.drag(await middleOf(from), await emptyPlace());
  await hands.click(page.getByRole('menu').getByRole('menuitem', { name, exact: true }));
  await page.locator('.react-flow__node').nth(before).waitFor();
}

/** Drags a wire from an exit to an existing step. */
async function wireTo(from, id) {
  await hands.drag(await middleOf(from), await middleOf(card(id).locator('.react-flow__handle.target')));
}

test('builds a flow by dragging wires, and publishes it', async () => {
  await open('/flows');
  await hands.task('flow', { limit: 26, most: 108, before: '26 clicks, 108 s' }, async () => {
    await hands.click(button(page, 'Create flow').first());
    await dialog('Create flow').getByLabel('Name').waitFor();
    await hands.type('Workshop');
    await hands.press('Enter');
    await card('end').waitFor();
    const palette = page.getByRole('navigation', { name: 'Steps to add' });
    await hands.click(button(palette, 'Start'));
    await hands.click(page.getByRole('menuitem', { name: 'Keyword', exact: true }));
    await focusOn('Keywords');
    await hands.type('repair');
    await hands.press('Enter');
    await wireToNew(port('@trigger/0'), 'Ask');
    await focusOn('Question');
    await hands.type('What needs a repair?');
    await hands.pick(combobox(page, 'Expected answer'), 'One of these options');
    await hands.click(combobox(page, 'Options').or(page.getByRole('textbox', { name: 'Options' })));
    for (const option of OPTIONS) {
      await hands.type(option);
      await hands.press('Enter');
    }
    await wireToNew(port('ask'), 'Branch');
    for (const [at, option] of OPTIONS.entries()) {
      await wireToNew(port('branch', `branches/${at}`), 'Send message');
      await focusOn('Text');
      await hands.type(`${option}: bring it on Monday.`);
    }
    await hands.click(button(page, 'Fit the window'));
    for (const id of ['send-message', 'send-message-2']) await wireTo(port(id), 'end');
    await page.getByText('Ready to publish').waitFor();
    await page.getByText('Draft saved').waitFor();
    await hands.click(button(page, 'Publish version 1'));
    await hands.click(button(page.getByRole('dialog'), 'Publish version 1'));
    await page.getByText('active, version 1').waitFor();
  });
  const { definition } = await read(`flows/${openId()}`);
  const nextOf = (id) => definition.nodes.find((it) => it.id === id).next;
  assert.deepEqual([definition.start, nextOf('ask'), nextOf('send-message'), nextOf('send-message-2')], ['ask', 'branch', 'end', 'end']);
});

test('activates a sequence of two messages, and enrolls a contact', async () => {
  await open('/sequences');
  await hands.task('sequence', { limit: 12 }, async () => {
    await hands.click(button(page, 'Create sequence').first());
    await focusOn('Name');
    await hands.type('After a repair');
    await hands.press('Enter');
    await button(page, 'Add step').waitFor();
    for (const text of ['How are the brakes?', 'Come back for a check.']) {
      await hands.click(button(page, 'Add step'));
      await hands.click(page.getByRole('textbox', { name: 'Text', exact: true }));
      await hands.type(text);
    }
    await hands.click(button(page, 'Save changes'));
    await button(page, 'Save changes').waitFor({ state: 'detached' });
    await hands.click(button(page, 'Activate'));
    await page.getByText('active', { exact: true }).first().waitFor();
    await hands.click(page.getByRole('tab', { name: 'Enrollments' }));
    await hands.click(button(page, 'Enroll a contact').first());
    const form = dialog('Enroll a contact');
    await hands.pick(form.getByRole('combobox'), 'Zoë Müller 7', 'kunde7@example.com');
    await hands.click(button(form, 'Enroll'));
    await page.getByRole('row', { name: /active/ }).waitFor();
  });
});

test('sends a broadcast to the segment, and shows its results', async () => {
  const count = ROWS / PLACES.length;
  await open('/broadcasts');
  await hands.task('broadcast', { limit: 8, most: 35, before: '8 clicks, 35 s' }, async () => {
    await hands.click(button(page, 'Create broadcast').first());
    await focusOn('Name');
    await hands.type('Open day');
    await hands.press('Tab');
    await hands.type('Hello {{ contact.first_name }}, we open on Sunday.');
    await hands.click(button(dialog('Create broadcast'), 'Create draft'));
    await page.getByRole('heading', { name: 'Open day', level: 1 }).waitFor();
    await hands.click(page.getByText('Segment', { exact: true }));
    await hands.pick(combobox(page, 'Segment'), 'Customers in Köln');
    await hands.click(button(page, 'Save changes'));
    await button(page, 'Save changes').waitFor({ state: 'detached' });
    await hands.click(button(page, 'Send'));
    await hands.click(button(page.getByRole('dialog'), `Send to ${count} contacts`));
    await page.getByText('completed', { exact: true }).first().waitFor();
  });
  const { stats } = await read(`broadcasts/${openId()}`);
  assert.deepEqual([stats.targeted, stats.sent, stats.failed, stats.suppressed], [count, count, 0, 0]);
  await figure('Sent').getByText(`${count}`, { exact: true }).waitFor();
});

const figure = (name) => page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });

test('shows the results of the flow and of the sequence', async (t) => {
  const { data: [flow] } = await read('flows');
  const { data: [sequence] } = await read('sequences');
  const ws = server.made.workspace_id;
  const say = (text) => server.done('POST', `/platform/workspaces/${ws}/sandbox/inbound`, { token, body: { contact: 'visitor', text } });
  await say('repair');
  await say('Tyre');
  await server.done('POST', `/platform/workspaces/${ws}/sandbox/clock`, { token, body: { advance: 'P3D' } });
  await hands.task('results', { limit: 8 }, async () => {
    await open('/flows');
    await hands.click(page.getByRole('cell', { name: flow.name, exact: true }));
    await hands.click(page.getByRole('tab', { name: 'Statistics' }));
    await page.getByRole('row', { name: /Branch.*Tyre/s }).waitFor();
    await hands.click(page.getByRole('tab', { name: 'Runs' }));
    await page.getByRole('row', { name: /completed/ }).waitFor();
    await hands.click(page.getByRole('link', { name: 'Sequences', exact: true }));
    await hands.click(page.getByRole('cell', { name: sequence.name, exact: true }));
    await hands.click(page.getByRole('tab', { name: 'Enrollments' }));
    await page.getByRole('row', { name: /completed/ }).waitFor();
    await hands.click(page.getByRole('link', { name: 'Analytics', exact: true }));
    await page.getByRole('heading', { name: 'Analytics', level: 1 }).waitFor();
    await rest(page);
  });
  for (const line of tableOf(hands.tasks)) t.diagnostic(line);
  assert.deepEqual(faults, []);
});
