// Tests of sessions, the storage of tokens, and the size of the first load.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { comes, launch, picture, rest, signIn, violations, visitor } from './browser.mjs';
import { Server, until } from './server.mjs';

let server, browser;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** All stored data that the page's scripts can read. */
const storedData = (page) =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, databases.map((it) => it.name)]);
  });

/** Counts the files that the page loads, without API calls. `take` returns the counts since the last call. */
async function countLoads(context, page) {
  const wire = await context.newCDPSession(page);
  await wire.send('Network.enable');
  const paths = new Map();
  let loads = [];
  wire.on('Network.requestWillBeSent', ({ requestId, request }) => paths.set(requestId, new URL(request.url).pathname));
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) => loads.push({ path: paths.get(requestId), bytes }));
  return () => {
    const files = loads.filter(({ path }) => !/^\/(api|auth|platform|healthz)\b/.test(path));
    const isFont = ({ path }) => path.endsWith('.woff2');
    const sum = (some) => some.reduce((all, { bytes }) => all + bytes, 0);
    const counts = {
      requests: loads.length,
      files: files.length,
      bytes: sum(files.filter((it) => !isFont(it))),
      fonts: files.filter(isFont).map(({ path }) => path.split('/').at(-1).split('-')[0]),
      fontBytes: sum(files.filter(isFont)),
      languages: [...new Set(files.flatMap(({ path }) => /-(en|de)-[\w-]{8}\.js$/.exec(path)?.[1] ?? []))],
    };
    loads = [];
    return counts;
  };
}

test('the first load is at most 12 requests and 200 kB, and Home adds at most 8 files and 120 kB', async () => {
  const { context, page } = await visitor(browser, server.origin);
  const take = await countLoads(context, page);
  await page.goto('/');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.waitForLoadState('networkidle');
  const start = take();
  assert.ok(start.requests <= 12, JSON.stringify(start));
  assert.ok(start.bytes > 50_000 && start.bytes <= 200_000, JSON.stringify(start));
  assert.ok(start.fontBytes <= 50_000, JSON.stringify(start));
  assert.deepEqual(start.fonts, ['inter']);
  assert.deepEqual(start.languages, ['en']);

  await page.getByLabel('Email').fill(server.made.email);
  await page.getByLabel('Password', { exact: true }).fill(server.made.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await rest(page);
  const home = take();
  assert.ok(home.files <= 8 && home.bytes + home.fontBytes <= 120_000, JSON.stringify(home));
  assert.deepEqual(home.languages, ['en']);
  await context.close();
});

test('stays signed in after a reload, in a second tab and after a restart of the server, and signs out in all tabs', async () => {
  const { context, page, faults } = await visitor(browser, server.origin);
  await signIn(page, server.made);
  await page.reload();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  const second = await context.newPage();
  await Promise.all([second.goto('/settings/profile'), page.reload()]);
  await second.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('heading', { name: 'Workspace', level: 1 }).waitFor();
  await server.kill();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByText('The service cannot be reached.').first().waitFor();
  await server.serve();
  await page.getByRole('cell').first().waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();

  await page.getByRole('button', { name: /Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await second.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.deepEqual(faults.filter((fault) => !fault.includes('ERR_CONNECTION_REFUSED')), []);
  await context.close();
});

test('stores no token in the browser, and puts none in an address or the log', async () => {
  const { context, page, addresses } = await visitor(browser, server.origin);
  const tokens = new Set();
  page.on('request', (request) => {
    const bearer = request.headers().authorization?.replace('Bearer ', '');
    if (bearer) tokens.add(bearer);
  });
  await signIn(page, server.made);
  for (const path of ['/developers/log', '/settings/api-keys', '/settings/profile', '/developers/docs']) {
    await page.goto(path);
    await rest(page);
  }
  const cookies = await context.cookies(`${server.origin}/auth/refresh`);
  const refresh = cookies.find((cookie) => cookie.name === 'tidings_refresh');
  assert.ok(refresh?.httpOnly && refresh.sameSite === 'Strict' && refresh.path === '/auth/refresh', JSON.stringify(refresh));
  tokens.add(refresh.value);
  assert.ok(tokens.size >= 2);
  const texts = [await storedData(page), ...addresses, server.log].join('\n');
  for (const token of tokens) assert.equal(texts.includes(token), false);
  await context.close();
});

test('ends a session from the list', async () => {
  const [one, other] = [await visitor(browser, server.origin), await visitor(browser, server.origin)];
  await signIn(one.page, server.made);
  await signIn(other.page, server.made);
  await one.page.goto('/settings/profile');
  await one.page.getByRole('button', { name: /^End/ }).first().waitFor();
  const before = await one.page.getByRole('button', { name: /^End/ }).count();
  await one.page.getByRole('button', { name: /^End/ }).first().click();
  await one.page.getByRole('dialog').getByRole('button', { name: /^End/ }).click();
  await until('the list has one session less', async () => (await one.page.getByRole('button', { name: /^End/ }).count()) < before);
  await until('the other browser is asked to sign in', async () => {
    await other.page.reload();
    return comes(other.page.getByRole('heading', { name: 'Sign in' }));
  });
  await one.context.close();
  await other.context.close();
});

test('the pages allow only scripts of the server', async () => {
  const answer = await fetch(`${server.origin}/settings/api-keys`, { headers: { accept: 'text/html' } });
  const policy = answer.headers.get('content-security-policy');
  assert.match(policy, /script-src 'self';/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.equal(/script-src[^;]*unsafe/.test(policy), false);
});

test('sets a new password once with a reset link from an admin', async () => {
  const admin = await visitor(browser, server.origin);
  await signIn(admin.page, server.made);
  const { email, password, workspace_id: ws } = server.made;
  const { access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } });
  const grace = { email: 'forgot@example.com', password: 'the one that is forgotten' };
  const invited = await server.done('POST', `/platform/workspaces/${ws}/members`, { token, body: { email: grace.email, role: 'member' } });
  await server.done('POST', `/auth/invitations/${invited.invitation_token}`, { body: { name: 'Grace', password: grace.password } });
  const session = await server.done('POST', '/auth/login', { body: grace });

  await admin.page.goto('/settings/members');
  await admin.page.getByRole('cell', { name: grace.email }).click();
  await admin.page.getByRole('button', { name: 'Create password link' }).click();
  const dialog = admin.page.getByRole('dialog', { name: 'Create a password link for Grace?' });
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await admin.page.getByRole('button', { name: 'Copy the link' }).last().click();
  const link = await admin.page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, new RegExp(`^${server.origin}/reset/`));
  for (const colorScheme of ['light', 'dark']) {
    await admin.page.emulateMedia({ colorScheme });
    await picture(admin.page, `password-link-${colorScheme}`);
    assert.deepEqual(await violations(admin.page), []);
  }
  await admin.page.getByRole('button', { name: 'Done' }).click();
  const secret = new URL(link).pathname.split('/').at(-1);
  assert.equal((await admin.page.content()).includes(secret), false);
  assert.equal((await storedData(admin.page)).includes(secret), false);

  const other = await visitor(browser, server.origin);
  await other.page.goto(link);
  await other.page.getByText(grace.email).waitFor();
  await other.page.getByLabel('Choose a password').fill('another one, chosen anew');
  await other.page.getByRole('button', { name: 'Set password' }).click();
  await other.page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  assert.equal((await server.call('GET', '/auth/me', { token: session.access_token })).status, 401, 'other sessions end');
  assert.equal((await server.call('POST', '/auth/login', { body: grace })).status, 401, 'the old password is rejected');
  assert.equal((await storedData(other.page)).includes(secret), false);

  await other.page.goto(link);
  await other.page.getByText('This link is no longer valid').waitFor();
  await other.context.clearCookies();
  await signIn(other.page, { email: grace.email, password: 'another one, chosen anew' });
  assert.deepEqual([...admin.faults, ...other.faults], []);
  await Promise.all([admin.context.close(), other.context.close()]);
});
