// The live tail of the usage log shows new requests at once, without polling every few seconds.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, signIn, visitor } from './browser.mjs';
import { Server, until } from './server.mjs';

/** With an open stream, the tail polls every 15 seconds. Faster updates come from the stream. */
const TIMEOUT = 8_000;

let server, browser, page, faults;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  ({ page, faults } = await visitor(browser, server.origin));
  await signIn(page, server.made);
  const { email, password, key } = server.made;
  const { access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } });
  await server.done('GET', '/api/v1/me', { token: key });
  await until('a request is in the log', async () => (await server.done('GET', `${log()}?caller=key`, { token })).data.length > 0);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const log = () => `/platform/workspaces/${server.made.workspace_id}/usage`;
const isOfLog = (answer) => new URL(answer.url()).pathname === log();
const isStream = (answer) => new URL(answer.url()).pathname === '/api/v1/stream' && answer.ok();
const row = (route) => page.getByRole('row', { name: new RegExp(`GET ${route} `) });

test('shows a new API request at the top as soon as the log contains it', async (t) => {
  const open = page.waitForResponse(isStream);
  await page.goto('/developers/log');
  await row('/me').first().waitFor();
  await open;
  const first = page.waitForResponse(isOfLog);
  await page.getByRole('switch', { name: /Live tail/ }).check({ force: true });
  await first;
  await page.locator('#content').getByText('Live', { exact: true }).waitFor();

  let asked = 0;
  page.on('response', (answer) => {
    if (isOfLog(answer)) asked += 1;
  });
  const began = performance.now();
  for (const name of ['event-types', 'tags', 'segments']) {
    await server.done('GET', `/api/v1/${name}`, { token: server.made.key });
    await row(`/${name}`).first().waitFor({ timeout: TIMEOUT });
  }
  const took = performance.now() - began;
  t.diagnostic(`three requests in ${Math.round(took)} ms, and asked ${asked} times`);
  // Updates from the stream cause at most one request per second.
  assert.ok(asked <= took / 1_000 + 2, `asked ${asked} times in ${Math.round(took)} ms`);
  assert.deepEqual(faults, []);
});
