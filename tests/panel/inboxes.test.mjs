// Two agents share an inbox. Each sees the other's messages at once, and exactly once even if the server is
// killed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, signIn, visitor } from './browser.mjs';
import { Server, until } from './server.mjs';

/**
 * The time in milliseconds within which others see a message, in at least two of three cases on an idle
 * machine.
 */
const SOON = 1_000;
/** The longest accepted time in milliseconds on a loaded machine. */
const TIMEOUT = 15_000;
const GRACE = { email: 'grace@example.com', password: 'a long enough password' };

let server, browser, owner, grace, sandbox, token, conversation;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  const { email, password, workspace_id: ws } = server.made;
  ({ access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } }));
  sandbox = await server.done('POST', `/platform/workspaces/${ws}/sandbox`, { token });
  const invited = await server.done('POST', `/platform/workspaces/${ws}/members`, { token, body: { email: GRACE.email, role: 'member' } });
  await server.done('POST', `/auth/invitations/${invited.invitation_token}`, { body: { name: 'Grace', password: GRACE.password } });
  await server.done('POST', '/api/v1/contacts', { token, workspace: sandbox.id, body: { external_id: 'ada', first_name: 'Ada' } });
  ({ conversation_id: conversation } = await say('Is anybody there?'));
  [owner, grace] = await Promise.all([visitor(browser, server.origin), visitor(browser, server.origin)]);
  await Promise.all([signIn(owner.page, server.made), signIn(grace.page, GRACE)]);
  await Promise.all([owner, grace].map(open));
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Sends a message from the contact. */
const say = (text) => server.done('POST', `/platform/workspaces/${server.made.workspace_id}/sandbox/inbound`, { token, body: { contact: 'ada', text } });
const thread = ({ page }) => page.getByRole('log', { name: 'Messages' });
const composer = ({ page }) => page.getByRole('textbox', { name: 'Your reply' });
const seen = (person, text) => thread(person).getByText(text, { exact: true });
const isStream = (response) => new URL(response.url()).pathname === '/api/v1/stream' && response.ok();
const isMessage = (request) => request.method() === 'POST' && request.url().endsWith(`/conversations/${conversation}/messages`);

/** Opens the conversation and waits for its live stream. */
async function open(person) {
  const live = person.page.waitForResponse(isStream);
  await person.page.goto(`/inbox/${conversation}?view=all&ws=${sandbox.id}`);
  await seen(person, 'Is anybody there?').waitFor();
  await live;
}

/** Sends a reply. Returns the milliseconds from the response until the other agent sees it. */
async function answered(from, to, text) {
  const answer = from.page.waitForResponse((response) => isMessage(response.request()));
  await composer(from).fill(text);
  await composer(from).press('Control+Enter');
  assert.equal((await answer).status(), 202);
  const at = performance.now();
  await seen(to, text).waitFor({ timeout: TIMEOUT });
  return Math.round(performance.now() - at);
}

/** Checks that each text exists once for both agents and once in the database. */
async function once(texts) {
  const { data } = await server.done('GET', `/api/v1/conversations/${conversation}/messages?limit=100`, { token, workspace: sandbox.id });
  for (const text of texts) {
    assert.equal(data.filter((it) => it.text === text).length, 1, `in the store: ${text}`);
    for (const person of [owner, grace]) assert.equal(await seen(person, text).count(), 1, text);
  }
}

test('an agent sees the messages of a colleague and of the contact within a second', async (t) => {
  const delays = [
    await answered(owner, grace, 'I am here, says one.'),
    await answered(grace, owner, 'So am I, says the other.'),
    await answered(owner, grace, 'Then we are two.'),
  ];
  t.diagnostic(`seen after ${delays.join(', ')} ms`);
  assert.ok(delays.toSorted((one, other) => one - other)[1] <= SOON, `seen after ${delays.join(', ')} ms`);
  await say('How good to hear!');
  await Promise.all([owner, grace].map((person) => seen(person, 'How good to hear!').waitFor({ timeout: TIMEOUT })));
  await once(['I am here, says one.', 'So am I, says the other.', 'Then we are two.', 'How good to hear!']);
});

test('sends each message once after the server is killed and restarted, also if it was already stored', async () => {
  const cut = 'Taken, and never answered.';
  await owner.page.route(`**/conversations/${conversation}/messages`, async (route) => {
    if (!isMessage(route.request())) return route.fallback();
    // The server stores the message and is killed before it responds.
    await route.fetch();
    await server.kill();
    await route.abort('connectionreset');
  });
  await composer(owner).fill(cut);
  await composer(owner).press('Control+Enter');
  await owner.page.getByText("it won't be sent twice").waitFor();
  await composer(grace).fill('Written while it was away.');
  await composer(grace).press('Control+Enter');
  await grace.page.getByText("it won't be sent twice").waitFor();
  await owner.page.unrouteAll();

  const live = Promise.all([owner, grace].map(({ page }) => page.waitForResponse(isStream)));
  await server.serve();
  await live;
  await owner.page.getByRole('button', { name: 'Send again' }).click();
  await grace.page.getByRole('button', { name: 'Send again' }).click();
  const texts = [cut, 'Written while it was away.'];
  await until('both agents see both messages', async () => {
    const counts = await Promise.all([owner, grace].flatMap((person) => texts.map((text) => seen(person, text).count())));
    return counts.every((count) => count > 0);
  });
  for (const person of [owner, grace]) assert.equal(await composer(person).inputValue(), '');
  await answered(grace, owner, 'And on we go.');
  const all = ['I am here, says one.', 'So am I, says the other.', 'Then we are two.', 'How good to hear!', ...texts, 'And on we go.'];
  await once(all);
  await Promise.all([owner, grace].map(open));
  await once(all);
  const faults = [...owner.faults, ...grace.faults].filter((fault) => !/ERR_CONNECTION|ERR_INCOMPLETE_CHUNKED/.test(fault));
  assert.deepEqual(faults, []);
});
