// A flow is built on the canvas: a finding is fixed, the flow is simulated, published and run. A day passes,
// a delivery is replayed, and an agent replies in the inbox. Then a broadcast is sent to its end.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { launch, signIn, visitor } from './browser.mjs';
import { Server, until } from './server.mjs';

let server, browser, page, faults, sandbox, flow, hook;
/** The IDs of the received deliveries. */
const received = [];
const receiver = createServer((request, response) => {
  received.push(request.headers['webhook-id']);
  request.resume().on('end', () => response.end());
});

before(async () => {
  await new Promise((on) => receiver.listen(0, '127.0.0.1', on));
  [server, browser] = await Promise.all([Server.start({ TIDINGS__EGRESS__ALLOW_LOOPBACK: 'true' }), launch()]);
  const { email, password, workspace_id: ws } = server.made;
  const { access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } });
  sandbox = await server.done('POST', `/platform/workspaces/${ws}/sandbox`, { token });
  const body = { url: `http://127.0.0.1:${receiver.address().port}/`, events: ['flow.completed'] };
  hook = await server.done('POST', '/api/v1/webhooks', { token, workspace: sandbox.id, body });
  ({ page, faults } = await visitor(browser, server.origin));
  await signIn(page, server.made);
});
after(async () => {
  receiver.close();
  await browser?.close();
  await server?.stop();
});

const card = (name) => page.locator('.react-flow__node', { hasText: name });
const text = () => page.getByRole('textbox', { name: 'Text' });

/** Adds a step after the selected one. */
async function add(group, name) {
  const palette = page.getByRole('navigation', { name: 'Steps to add' });
  await palette.getByRole('button', { name: group, exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
  await card(name).last().waitFor();
}

test('builds a flow on an empty canvas, and fixes a reported finding', async () => {
  await page.goto(`/flows?create=true&ws=${sandbox.id}`);
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Greeter');
  await form.getByLabel('Name').press('Enter');
  await card('End').waitFor();
  flow = new URL(page.url()).pathname;
  await add('Start', 'Keyword');
  await page.getByRole('combobox', { name: 'Keywords' }).or(page.getByRole('textbox', { name: 'Keywords' })).first().fill('hello');
  await page.keyboard.press('Enter');
  await add('Message', 'Send message');
  await text().fill('Good to hear from you, {{ contact.frist_name }}.');
  await page.getByText('contact.frist_name, which does not exist').first().waitFor();
  await text().fill('Good to hear from you, {{ contact.first_name | default("there") }}.');
  await add('Wait', 'Delay');
  await add('Message', 'Send message');
  await text().fill('Did you find what you were looking for?');
  await page.getByText('Ready to publish').waitFor();
  await page.getByText('Draft saved').waitFor();
});

test('simulates the flow before it is published', async () => {
  await page.getByRole('tab', { name: 'Simulate' }).click();
  await page.getByPlaceholder(/^Write as /).fill('hello');
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText(/Good to hear from you, /).waitFor();
});

test('publishes the flow, and a message starts a run', async () => {
  await page.getByRole('button', { name: 'Publish version 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish version 1' }).click();
  await page.getByText('active, version 1').waitFor();
  await page.goto(`/developers/sandbox?ws=${sandbox.id}`);
  await page.getByLabel('Contact', { exact: true }).fill('grace');
  await page.getByLabel('Message of the contact').fill('hello');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Outbox' }).getByText('Good to hear from you, there.').first().waitFor();
  await page.goto(`${flow}?tab=runs&ws=${sandbox.id}`);
  await page.getByRole('row', { name: /waiting/ }).first().click();
  await page.getByRole('heading', { name: 'Step by step' }).waitFor();
});

test('completes the run after a day', async () => {
  await page.goto(`/developers/sandbox?ws=${sandbox.id}`);
  await page.getByRole('button', { name: 'Advance by 1 day' }).click();
  await page.getByRole('region', { name: 'Outbox' }).getByText('Did you find what you were looking for?').first().waitFor();
  await page.goto(`${flow}?tab=runs&ws=${sandbox.id}`);
  await page.getByRole('row', { name: /completed/ }).first().waitFor();
});

test('shows the delivery to the webhook, and replays it', async () => {
  await until('the receiver has the event', () => received.length === 1);
  await page.goto(`/webhooks/${hook.id}?ws=${sandbox.id}`);
  await page.getByRole('row', { name: /flow.completed/ }).first().click();
  await page.getByText('Each attempt has a new signature').waitFor();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText('The delivery was queued again.').waitFor();
  await until('the receiver has the event twice', () => received.length === 2);
  assert.equal(received[0], received[1]);
  await page.getByText('Attempt 2').waitFor();
});

test('sends a reply to the conversation from the inbox', async () => {
  await page.goto(`/inbox?view=bot&ws=${sandbox.id}`);
  await page.getByRole('button', { name: /Did you find what/ }).first().click();
  const reply = page.getByRole('textbox', { name: 'Your reply' });
  await reply.fill('A colleague is with you now.');
  await reply.press('Control+Enter');
  await page.getByRole('log', { name: 'Messages' }).getByText('A colleague is with you now.', { exact: true }).waitFor();
});

test('sends a broadcast to all contacts, and completes it', async () => {
  const { email, password } = server.made;
  const { access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } });
  const message = { type: 'text', text: 'We open at nine.' };
  const body = { name: 'Opening hours', audience: { all: [] }, message };
  const { id } = await server.done('POST', '/api/v1/broadcasts', { token, workspace: sandbox.id, body });
  await page.goto(`/broadcasts/${id}?ws=${sandbox.id}`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^Send to 1 / }).click();
  await page.getByText('completed', { exact: true }).first().waitFor();
  assert.deepEqual(faults, []);
});
