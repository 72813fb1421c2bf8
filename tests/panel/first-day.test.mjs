// The first day of a user: waiting customers are visible, warnings come before a message is lost, and typed
// text is kept. Uses the keyboard if possible.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { comes, launch, signIn, visitor } from './browser.mjs';
import { inbound, Server, until } from './server.mjs';

const WAITING = 3;
const AGENT = { email: 'noor@example.com', password: 'a long enough password' };
const say = (text) => ({ type: 'send_message', message: { type: 'text', text } });
let server, browser, page, faults, token, flow;
/** A webhook receiver that always fails. */
const receiver = createServer((request, response) => request.resume().on('end', () => response.writeHead(500).end()));

before(async () => {
  await new Promise((on) => receiver.listen(0, '127.0.0.1', on));
  [server, browser] = await Promise.all([Server.start({ TIDINGS__EGRESS__ALLOW_LOOPBACK: 'true' }), launch()]);
  const { email, password, workspace_id: ws } = server.made;
  ({ access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } }));
  const invited = await server.done('POST', `/platform/workspaces/${ws}/members`, { token, body: { email: AGENT.email, role: 'member' } });
  await server.done('POST', `/auth/invitations/${invited.invitation_token}`, { body: { name: 'Noor', password: AGENT.password } });
  const chat = await post('channels', { kind: 'http', name: 'Chat', config: { url: 'https://provider.invalid/' } });
  await post(`channels/${chat.id}/connect`);
  for (let at = 1; at <= WAITING; at += 1) {
    const from = { address: `customer-${at}`, name: `Customer ${at}` };
    const answer = await inbound(server, chat, { type: 'message', id: `question-${at}`, from, text: `Question ${at}?` });
    assert.ok(answer.ok);
  }
  flow = await post('flows', { name: 'Welcome', definition: { start: 'hello', nodes: [{ id: 'hello', ...say('Hello'), next: 'end' }, { id: 'end', type: 'end' }] } });
  await post('webhooks', { url: `http://127.0.0.1:${receiver.address().port}/`, events: ['contact.created'] });
  ({ page, faults } = await visitor(browser, server.origin));
  await signIn(page, server.made);
});
after(async () => {
  receiver.close();
  await browser?.close();
  await server?.stop();
});

const post = (path, body) => server.done('POST', `/api/v1/${path}`, { token: server.made.key, body });
const read = (path) => server.done('GET', `/api/v1/${path}`, { token: server.made.key });
const button = (inside, name) => inside.getByRole('button', { name, exact: true });
const conversation = (status) => read(`conversations?status=${status}&limit=100`).then(({ data }) => data);
const focused = (locator) => locator.and(page.locator(':focus')).waitFor();

test('Home counts the open, unassigned conversations without a reply', async () => {
  await page.goto('/');
  await page.getByText(`${WAITING} conversations have no reply`).waitFor();
  const open = await conversation('open');
  assert.deepEqual(open.map((it) => [it.assignee_id ?? null, it.handler]), Array(WAITING).fill([null, 'bot']));
});

test('inbox shortcuts change only the open conversation, and can be undone', async () => {
  const reply = page.getByRole('textbox', { name: 'Your reply' });
  const openId = () => new URL(page.url()).pathname.split('/')[2];
  await page.goto('/inbox');
  await page.getByRole('button', { name: /^Customer/ }).first().waitFor();
  await page.keyboard.press('e');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal((await conversation('open')).length, WAITING);

  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('log', { name: 'Messages' }).getByText(/^Question \d\?$/).waitFor();
  const first = openId();
  await page.keyboard.press('r');
  await focused(reply);
  await page.keyboard.type('We open at nine. See https://example.com/hours');
  await page.keyboard.press('Escape');
  await page.getByRole('log', { name: 'Messages' }).and(page.locator(':focus')).waitFor();
  assert.match(await reply.inputValue(), /^We open at nine/);
  await page.keyboard.press('r');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('log').getByRole('link', { name: 'https://example.com/hours' }).waitFor();
  const me = (await server.done('GET', '/auth/me', { token })).user.id;
  await until('the reply assigns the conversation', async () => (await read(`conversations/${first}`)).assignee_id === me);

  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await page.getByText(/^Conversation with Customer \d resolved$/).waitFor();
  await until('the next conversation is open', () => openId() !== first);
  assert.equal((await read(`conversations/${first}`)).status, 'resolved');
  await page.keyboard.press('z');
  await until('the resolve is undone', async () => (await read(`conversations/${first}`)).status === 'open');
  await page.goto(`/inbox/${first}?view=all`);
  await page.getByRole('log', { name: 'Messages' }).getByText(/^Resolved by/).first().waitFor();
});

test('resolves all selected conversations by keyboard', async () => {
  await page.goto('/inbox?view=open');
  await page.getByRole('button', { name: /^Customer/ }).nth(1).waitFor();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  const bar = page.getByRole('region', { name: 'Selected conversations' });
  await bar.getByText('2 conversations selected').waitFor();
  await button(bar, 'Resolve').focus();
  await page.keyboard.press('Enter');
  await page.getByText('2 conversations resolved').waitFor();
  assert.equal((await conversation('resolved')).length, 2);
});

test('warns before a broadcast is sent on a sandbox channel, which reaches no contact', async () => {
  const notice = /^Messages on .*Sandbox.* reach no contact/;
  await page.goto('/');
  await page.getByText(/Connect a channel: the default channel “Sandbox” is a sandbox/).waitFor();
  const message = { type: 'text', text: 'We open at nine.' };
  const { id } = await post('broadcasts', { name: 'Opening hours', audience: { all: [] }, message });
  await page.goto(`/broadcasts/${id}`);
  await page.getByText(notice).first().waitFor();
  await button(page, 'Send').press('Enter');
  await page.getByRole('dialog').getByText(notice).waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`/flows/${flow.id}`);
  await page.getByText(notice).first().waitFor();
});

test('Home lists scheduled broadcasts and active flows on other sandbox channels', async () => {
  const channel = await post('channels', { kind: 'sandbox', name: 'Test line' });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const message = { type: 'text', text: 'We open at nine.' };
  const { id } = await post('broadcasts', { name: 'Open day', audience: { all: [] }, channel_id: channel.id, scheduled_at: tomorrow, message });
  await post(`broadcasts/${id}/send`, {});
  await page.goto('/');
  await page.getByRole('link', { name: /“Open day” uses the sandbox channel “Test line”/ }).press('Enter');
  await page.waitForURL(`**/broadcasts/${id}**`);
  await page.getByText(/^Messages on “Test line” reach no contact/).first().waitFor();

  const triggers = [{ type: 'keyword', keywords: ['repair'], channel_ids: [channel.id] }];
  const definition = { triggers, start: 'end', nodes: [{ id: 'end', type: 'end' }] };
  const repairs = await post('flows', { name: 'Repairs', definition });
  await post(`flows/${repairs.id}/publish`);
  await page.goto('/');
  await page.getByRole('link', { name: /starts the flow “Repairs” on the sandbox channel “Test line”/ }).press('Enter');
  await page.waitForURL(`**/flows/${repairs.id}**`);
  await page.getByText(/^Messages on “Test line” reach no contact/).first().waitFor();
});

test('a dialog asks before it discards typed text', async () => {
  await page.goto('/segments?create=true');
  const form = page.getByRole('dialog', { name: 'Create segment' });
  const name = form.getByLabel('Name', { exact: true });
  await focused(name);
  await page.keyboard.type('Commuters');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Discard what you typed?' }).waitFor();
  await button(page, 'Keep editing').press('Enter');
  assert.equal(await name.inputValue(), 'Commuters');
  await page.keyboard.press('Escape');
  await button(page, 'Discard').press('Enter');
  await form.waitFor({ state: 'detached' });
});

test('a webhook with failing deliveries is not shown as active', async () => {
  await post('contacts', { first_name: 'Ada' });
  await until('the delivery failed', async () => {
    await page.goto('/webhooks');
    const row = page.getByRole('row', { name: /127\.0\.0\.1/ });
    await row.waitFor();
    return (await comes(row.getByText('failing', { exact: true }))) && !(await row.getByText('active', { exact: true }).count());
  });
  await page.getByRole('cell', { name: /127\.0\.0\.1/ }).click();
  await page.getByRole('row', { name: /contact\.created/ }).first().getByText(/^Retrying \(1 of \d+\)/).waitFor();
});

test('the search opens a flow by its name', async () => {
  await page.goto('/');
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find a page, a name or an ID' }).waitFor();
  await page.keyboard.type('Welc');
  await page.getByRole('option', { name: /Welcome/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/flows/${flow.id}**`);
});

test('a broadcast shows its recipients with reasons, and is sent again to those without the message', async () => {
  const { data: channels } = await read('channels');
  const chat = channels.find((it) => it.name === 'Chat');
  await post(`channels/${chat.id}/disconnect`);
  const message = { type: 'text', text: 'We open at nine.' };
  const audience = { field: 'first_name', op: 'starts_with', value: 'Customer' };
  const { id } = await post('broadcasts', { name: 'Spring news', audience, channel_id: chat.id, message });
  await post(`broadcasts/${id}/send`, {});
  await until('it is completed', async () => (await read(`broadcasts/${id}`)).status === 'completed');
  await post(`channels/${chat.id}/connect`);
  await page.goto(`/broadcasts/${id}`);
  await page.getByRole('row', { name: /Customer 1.*not sent.*the channel is not connected/ }).waitFor();
  await button(page, 'Send again').press('Enter');
  await button(page.getByRole('dialog'), 'Create draft').press('Enter');
  await page.getByText('Only recipients of the first broadcast who did not get its message are selected').waitFor();
  await page.getByText(`of ${WAITING} contacts would receive it`).waitFor();
});

test('offers the time zone of the browser to a workspace in UTC', async () => {
  const berlin = await visitor(browser, server.origin, { timezoneId: 'Europe/Berlin' });
  await signIn(berlin.page, server.made);
  await button(berlin.page, 'Use Europe/Berlin').press('Enter');
  await berlin.page.getByText('The time zone of the workspace is Europe/Berlin.').waitFor();
  const { time_zone: zone } = await server.done('GET', `/platform/workspaces/${server.made.workspace_id}`, { token });
  assert.equal(zone, 'Europe/Berlin');
  assert.deepEqual(berlin.faults, []);
  await berlin.context.close();
});

test('a member sees the inbox first, and chooses German for all browsers', async () => {
  const one = await visitor(browser, server.origin);
  await one.page.goto('/login');
  await one.page.getByLabel('Email').fill(AGENT.email);
  await one.page.getByLabel('Password', { exact: true }).fill(AGENT.password);
  await button(one.page, 'Sign in').click();
  const rail = one.page.getByRole('navigation', { name: 'Pages' });
  await rail.getByRole('link').first().getByText('Inbox').waitFor();
  await one.page.goto('/settings/profile');
  await one.page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
  await one.page.getByRole('heading', { name: 'Profil', level: 1, exact: true }).waitFor();
  const other = await visitor(browser, server.origin, { locale: 'en-GB' });
  await other.page.goto('/login');
  await other.page.getByLabel('Email').fill(AGENT.email);
  await other.page.getByLabel('Password', { exact: true }).fill(AGENT.password);
  await button(other.page, 'Sign in').click();
  await other.page.locator('html[lang="de"]').waitFor();
  await other.page.getByRole('link', { name: 'Kontakte' }).waitFor();
  assert.deepEqual([...one.faults, ...other.faults, ...faults], []);
  await Promise.all([one.context.close(), other.context.close()]);
});
