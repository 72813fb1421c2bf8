// The first day of an agent: 20 of 48 waiting contacts get a reply, by keyboard only.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { launch, visitor } from './browser.mjs';
import { Hands, tableOf } from './hands.mjs';
import { inbound, Server, until } from './server.mjs';

const WAITING = 48;
const ANSWERED = 20;
const AGENT = { email: 'noor@example.com', password: 'a long enough password' };
const HOURS = 'We are open from nine to six, {{ contact.first_name }}.';

/** A test replies faster than a person, so it needs more requests per minute. */
const LIMITS = { TIDINGS__LIMITS__PERSON: '100000', TIDINGS__LIMITS__PLANS__STARTER: '100000' };

let server, browser, page, faults, hands;
/** Accepts all messages to contacts. */
const provider = createServer((request, response) => request.resume().on('end', () => response.end('{}')));

before(async () => {
  await new Promise((on) => provider.listen(0, '127.0.0.1', on));
  [server, browser] = await Promise.all([Server.start({ ...LIMITS, TIDINGS__EGRESS__ALLOW_LOOPBACK: 'true' }), launch()]);
  const { email, password, workspace_id: ws } = server.made;
  const { access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } });
  const body = { email: AGENT.email, role: 'member' };
  const invited = await server.done('POST', `/platform/workspaces/${ws}/members`, { token, body });
  await server.done('POST', `/auth/invitations/${invited.invitation_token}`, { body: { name: 'Noor', password: AGENT.password } });
  await post('saved-replies', { name: 'Opening hours', text: HOURS });
  const config = { url: `http://127.0.0.1:${provider.address().port}/` };
  const chat = await post('channels', { kind: 'http', name: 'Chat on the website', config, is_default: true });
  await post(`channels/${chat.id}/connect`);
  for (let at = 1; at <= WAITING; at += 1) await ask(chat, at);
  ({ page, faults } = await visitor(browser, server.origin));
  hands = new Hands(page);
});
after(async () => {
  provider.close();
  await browser?.close();
  await server?.stop();
});

const post = (path, body) => server.done('POST', `/api/v1/${path}`, { token: server.made.key, body });
const read = (path) => server.done('GET', `/api/v1/${path}`, { token: server.made.key });

/** Sends a message of a contact through the chat. */
async function ask(chat, at) {
  const from = { address: `customer-${at}`, name: `Customer ${at}` };
  const message = { type: 'message', id: `question-${at}`, from, text: `Question ${at}: when are you open?` };
  const answer = await inbound(server, chat, message);
  assert.ok(answer.ok, `${answer.status} ${await answer.text()}`);
}

const thread = () => page.getByRole('log', { name: 'Messages' });
const reply = () => page.getByRole('textbox', { name: 'Your reply' });
const openId = () => new URL(page.url()).pathname.split('/')[2];

/** Waits for the question of a contact in the open conversation. */
const question = (number) => thread().getByText(`Question ${number}: when are you open?`).waitFor();

/** Waits until the field for a reply or a note has the focus. */
const focused = (placeholder) => page.getByPlaceholder(placeholder).and(page.locator(':focus')).waitFor();

/** Replies in the open conversation with a text or a saved reply, and resolves it. */
async function answer(number) {
  await question(number);
  await focused(`Write to Customer ${number} …`);
  if (number % 2 === 0) {
    await hands.type(`Hello customer ${number}, we open at nine.`);
  } else {
    await hands.press('/');
    await page.getByRole('option', { name: /^Opening hours/ }).waitFor();
    await hands.type('opening');
    await hands.press('Enter');
    await until('the saved reply is filled in', async () => (await reply().inputValue()).includes(`Customer ${number}.`));
    await focused(`Write to Customer ${number} …`);
  }
  await hands.press('Control+Shift+Enter');
}

test('an agent replies to 20 of 48 waiting contacts by keyboard only', async (t) => {
  const answered = new Map();
  await hands.task('sign in, and open the longest waiting conversation', { limit: 0 }, async () => {
    await page.goto('/inbox');
    await page.getByLabel('Email').waitFor();
    await hands.type(AGENT.email);
    await hands.press('Tab');
    await hands.type(AGENT.password);
    await hands.press('Enter');
    const waiting = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: /^No reply/ });
    await waiting.waitFor();
    await hands.tabTo(waiting);
    await hands.press('Enter');
    await page.locator('[data-conversation]').getByText(/^Question 1:/).waitFor();
    await hands.press('j', 'Enter');
    await question(1);
  });

  let requests = 0;
  page.on('request', (it) => {
    if (new URL(it.url()).pathname.startsWith('/api/')) requests += 1;
  });
  await hands.task(`answer ${ANSWERED} conversations`, { limit: 0 }, async () => {
    await hands.press('r');
    for (let number = 1; number <= ANSWERED; number += 1) {
      const id = openId();
      answered.set(id, number);
      await answer(number);
      // After the reply, the next conversation opens with the focus in its field.
      await page.waitForURL((address) => !address.pathname.endsWith(id));
    }
  });

  t.diagnostic(`${Math.round(requests / ANSWERED)} requests for each answer`);

  await hands.task('write a note, take a conversation, resolve it and undo that', { limit: 0 }, async () => {
    const id = openId();
    await question(ANSWERED + 1);
    await focused(`Write to Customer ${ANSWERED + 1} …`);
    await hands.press('Escape', 'n');
    await focused('Visible to members only …');
    await hands.type('Ask the workshop first.');
    await hands.press('Control+Enter');
    await thread().getByText('Ask the workshop first.', { exact: true }).waitFor();
    await hands.press('Escape', 'a', 'e');
    await until('it is resolved', async () => (await read(`conversations/${id}`)).status === 'resolved');
    await page.getByText(`Conversation with Customer ${ANSWERED + 1} resolved`).waitFor();
    await question(ANSWERED + 2);
    await hands.press('z');
    await until('it is open again', async () => (await read(`conversations/${id}`)).status === 'open');
  });
  for (const line of tableOf(hands.tasks)) t.diagnostic(line);

  assert.equal(answered.size, ANSWERED);
  for (const [id, number] of answered) {
    assert.equal((await read(`conversations/${id}`)).status, 'resolved', id);
    const { data } = await read(`conversations/${id}/messages`);
    const [own, ...more] = data.filter((it) => it.direction === 'outbound');
    assert.deepEqual(more, [], `one answer for ${number}`);
    assert.match(own.text, new RegExp(`(customer ${number}, we open at nine\\.|Customer ${number}\\.)$`));
  }
  assert.equal((await read('conversations?status=open&limit=100')).data.length, WAITING - ANSWERED);
  assert.deepEqual(faults, []);
});
