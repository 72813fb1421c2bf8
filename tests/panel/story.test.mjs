// The first session of a new user, from signing in to signing out.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { comes, launch, rest, signIn, visitor } from './browser.mjs';
import { Server, until } from './server.mjs';

let server, browser, owner;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  owner = await visitor(browser, server.origin);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

test('a first session, from signing in to signing out', async (t) => {
  const { page, faults } = owner;
  let key, requestId, testKey;

  await t.test('reports a wrong password, and opens the requested page after the right one', async () => {
    await page.goto('/settings/api-keys');
    await page.getByLabel('Email').fill(server.made.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The email or the password is wrong.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(server.made.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  });

  await t.test('creates a write key, and shows it in full once', async () => {
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('billing service');
    await page.getByRole('radio', { name: /write/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Copy the key' }).first().click();
    key = await clipboard(page);
    assert.match(key, /^tdg_live_[0-9A-Za-z]{38}$/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('cell', { name: 'billing service' }).waitFor();
    assert.equal((await page.content()).includes(key), false, 'the key is not shown again');
  });

  await t.test('the usage log contains the first call of the key, and finds it by its request ID', async () => {
    const answer = await server.call('POST', '/api/v1/contacts', { token: key, body: { emial: 'ada@example.com' } });
    assert.equal(answer.status, 422);
    requestId = answer.headers.get('x-request-id');
    assert.equal((await server.call('GET', '/api/v1/me', { token: key })).status, 200);
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Back', exact: true }).click();
    await page.getByRole('link', { name: 'Usage log', exact: true }).click();
    await until('the call is listed', async () => {
      await page.reload();
      await rest(page);
      return comes(page.getByRole('row', { name: /422/ }).first());
    });
    const wanted = page.locator('input[aria-label="Request ID"]');
    await wanted.fill(requestId);
    await wanted.press('Enter');
    await page.getByRole('row', { name: /422/ }).first().click();
    const details = page.getByRole('complementary', { name: 'Request' });
    await details.getByText('validation_failed').waitFor();
    await details.getByText('/emial').first().waitFor();
    assert.equal((await details.innerText()).includes('ada@example.com'), false, 'values are not stored');
    await page.keyboard.press('Escape');
  });

  await t.test('the API docs create the sandbox, and send a test request to it', async () => {
    await page.getByRole('link', { name: 'API docs' }).click();
    await page.getByRole('button', { name: 'Create the sandbox' }).click();
    await page.getByText('A test key for the sandbox is filled in.').waitFor();
    await page.getByRole('button', { name: 'Copy the test key' }).click();
    testKey = await clipboard(page);
    assert.match(testKey, /^tdg_test_/);
    const reference = page.getByRole('region', { name: 'API reference' });
    await reference.getByRole('button', { name: 'Access' }).first().click();
    await reference.getByRole('link', { name: /Get the current credential/ }).first().click();
    await reference.getByRole('button', { name: /Test Request.*\/api\/v1\/me\)/s }).click();
    // The reference may open slowly, so the wait for the response begins here.
    const tried = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/v1/me' && answer.request().headers().authorization === `Bearer ${testKey}`);
    await page.getByRole('button', { name: /Send Request/ }).click();
    assert.equal((await tried).status(), 200);
    // If the dialog is closed before the response is shown, the reference cancels the request and reports it.
    await page.getByRole('dialog').getByText('(sandbox)').first().waitFor();
    await page.keyboard.press('Escape');
  });

  await t.test('simulates a message in the sandbox, and shows the reply in the outbox', async () => {
    const flow = await server.done('POST', '/api/v1/flows', {
      token: testKey,
      body: {
        name: 'Greeting',
        definition: {
          triggers: [{ type: 'keyword', match: 'exact', keywords: ['hello'] }],
          start: 'greet',
          nodes: [
            { id: 'greet', type: 'send_message', message: { type: 'text', text: 'Good to hear from you' }, next: 'end' },
            { id: 'end', type: 'end' },
          ],
        },
      },
    });
    await server.done('POST', `/api/v1/flows/${flow.id}/publish`, { token: testKey });
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Sandbox', exact: true }).click();
    await page.getByLabel('Contact', { exact: true }).fill('grace');
    await page.getByLabel('Message of the contact').fill('hello');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Outbox' }).getByText('Good to hear from you').first().waitFor();
  });

  await t.test('invites a viewer, who joins with the link and sees only permitted pages', async () => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Invite a member' }).first().click();
    await page.getByRole('dialog').getByLabel('Email').fill('vera@example.com');
    await page.getByRole('radio', { name: /viewer/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Copy the link' }).first().click();
    const link = await clipboard(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    assert.match(link, /\/join\/\S+$/);

    const vera = await visitor(browser, server.origin);
    await vera.page.goto(link);
    await vera.page.getByRole('heading', { name: /^Join/ }).waitFor();
    await vera.page.getByLabel('Your name').fill('Vera');
    await vera.page.getByLabel('Choose a password', { exact: true }).fill('a long enough password');
    await vera.page.getByRole('button', { name: 'Join', exact: true }).click();
    await vera.page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    const rail = await vera.page.getByRole('navigation', { name: 'Pages' }).innerText();
    for (const hidden of ['Usage log', 'Sandbox']) assert.equal(rail.includes(hidden), false, hidden);
    assert.equal(await vera.page.getByRole('button', { name: /Create|Invite|Make/ }).count(), 0);
    await vera.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings', exact: true }).click();
    await vera.page.getByRole('heading', { name: 'Workspace', level: 1 }).waitFor();
    const settings = await vera.page.getByRole('navigation', { name: 'Settings' }).innerText();
    for (const hidden of ['API keys', 'Members']) assert.equal(settings.includes(hidden), false, hidden);
    await vera.page.goto('/settings/api-keys');
    await vera.page.getByText(/admins/).first().waitFor();
    assert.equal(await vera.page.getByRole('button', { name: 'Create key' }).count(), 0);
    assert.equal(server.log.includes(link.split('/').at(-1)), false, 'the token is in no log');
    assert.deepEqual(vera.faults, []);
    await vera.context.close();
  });

  await t.test('revokes the key, and the server rejects it within five seconds', async () => {
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('cell', { name: 'billing service' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('cell', { name: 'billing service' }).waitFor({ state: 'detached' });
    await until('the key is rejected', async () => (await server.call('GET', '/api/v1/me', { token: key })).status === 401, 5);
  });

  await t.test('signing out returns to the sign-in page', async () => {
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto('/settings/api-keys');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  assert.deepEqual(faults, []);
});
