// The first day of a developer: from the sign-in to a webhook with verified deliveries, in under three minutes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, visitor } from './browser.mjs';
import { Hands, tableOf } from './hands.mjs';
import { Server, until } from './server.mjs';

/** Calls the code that the panel shows for verification, with a delivery as JSON. */
const MAIN = `
import json, sys
given = json.load(sys.stdin)
headers = {name.lower(): value for name, value in given["headers"].items()}
print(verify(given["secret"], headers, given["body"].encode()))
`;

let server, browser, page, faults, hands, secret;
/** The deliveries, each with the result of its verification. */
const received = [];
const receiver = createServer((request, response) => {
  const chunks = [];
  request.on('data', (it) => chunks.push(it)).on('end', () => {
    const body = Buffer.concat(chunks).toString();
    const delivery = { headers: request.headers, body, event: JSON.parse(body) };
    delivery.isVerified = isVerified(delivery);
    received.push(delivery);
    response.writeHead(delivery.isVerified ? 204 : 401).end();
  });
});

before(async () => {
  await new Promise((on) => receiver.listen(0, '127.0.0.1', on));
  [server, browser] = await Promise.all([Server.start({ TIDINGS__EGRESS__ALLOW_LOOPBACK: 'true' }), launch()]);
  ({ page, faults } = await visitor(browser, server.origin));
  hands = new Hands(page);
});
after(async () => {
  receiver.close();
  await browser?.close();
  await server?.stop();
});

const program = () => join(server.folder, 'receiver.py');
const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
const button = (within, name) => within.getByRole('button', { name, exact: true });

/** Runs the panel's code for a delivery. */
function isVerified({ headers, body }) {
  const { stdout, stderr } = spawnSync('python3', [program()], { input: JSON.stringify({ secret, headers, body }), encoding: 'utf8' });
  assert.equal(stderr, '');
  return stdout.trim() === 'True';
}

test('a developer goes from the sign-in to a verified webhook', async (t) => {
  const dialog = page.getByRole('dialog');
  await hands.task('webhook: sign in, create, verify a test', { limit: 12, most: 180, before: 'under 180 s' }, async () => {
    await page.goto('/');
    await page.getByLabel('Email').waitFor();
    await hands.type(server.made.email);
    await hands.press('Tab');
    await hands.type(server.made.password);
    await hands.press('Enter');
    await hands.click(page.getByRole('link', { name: 'Webhooks', exact: true }));
    await hands.click(button(page, 'Create webhook').first());
    await dialog.getByRole('textbox', { name: 'Address', exact: true }).waitFor();
    await hands.type(`http://127.0.0.1:${receiver.address().port}/hooks`);
    await hands.click(dialog.getByText('All, including future ones'));
    await hands.click(button(dialog, 'Create webhook'));
    await hands.click(dialog.getByRole('button', { name: 'Copy the secret' }).first());
    secret = await clipboard();
    await hands.click(dialog.getByRole('tab', { name: 'Python' }));
    await hands.click(button(dialog, 'Copy the Python code'));
    writeFileSync(program(), `${await clipboard()}\n${MAIN}`);
    await hands.click(button(dialog, 'Open the webhook'));
    await hands.click(button(page, 'Send a test').first());
    await hands.click(button(dialog, 'Send'));
    await dialog.getByText(/^Accepted with 204 in /).waitFor();
  });
  assert.match(secret, /^whsec_/);
  assert.deepEqual(received.map((it) => [it.isVerified, it.event.test]), [[true, true]]);

  await hands.task('webhook: the delivery of a new contact', { limit: 2 }, async () => {
    await hands.press('Escape');
    const { id } = await server.done('POST', '/api/v1/contacts', { token: server.made.key, body: { first_name: 'Ada' } });
    await until('the event is delivered', () => received.some((it) => it.event.type === 'contact.created'));
    const row = page.getByRole('row', { name: /contact\.created.*delivered/ });
    await row.waitFor();
    await hands.click(row);
    await page.getByText('Each attempt has a new signature').waitFor();
    assert.ok(received.every((it) => it.isVerified), id);
  });
  for (const line of tableOf(hands.tasks)) t.diagnostic(line);
  const [delivery] = received;
  assert.equal(isVerified({ ...delivery, body: `${delivery.body} ` }), false, 'a changed body');
  assert.deepEqual(faults, []);
});
