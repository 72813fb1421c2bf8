// Fills a server with the example through its API: a live workspace that starts now, and a sandbox with five
// weeks of data.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import * as example from './example.mjs';
import { inbound, until } from './server.mjs';
import { improve, pass, waiting, welcome } from './weeks.mjs';

const PASSWORD = 'a long enough password';
const DAY = 86_400_000;

/** Creates the whole example. Returns the users, both workspaces, and a function that stops it. */
export async function furnish(server) {
  const receiver = await startReceiver();
  await allowLoopback(server);
  const { owner, people, ws, joining } = await createMembers(server);
  const { id: sandbox_id } = await server.done('POST', `/platform/workspaces/${ws}/sandbox`, { token: owner.token });
  const live = await createClient(server, owner, ws, example.KEYS);
  const sandbox = await createClient(server, owner, sandbox_id, [{ name: 'Tests on every change', scope: 'full' }, { name: 'Trying things out', scope: 'write' }]);
  await Promise.all([live, sandbox].map(createObjects));
  await setUpLive(live, receiver, people);
  const stopTraffic = traffic(live);
  const { data: channels } = await sandbox.get('channels');
  await sandbox.patch(`channels/${channels[0].id}`, { name: 'Chat on the website' });
  await sandbox.post('webhooks', { url: `${receiver.origin}/trial`, description: 'The shop on the test server', events: ['*'] });
  await pass(sandbox, people);
  live.delivery = await findRetried(live);
  const end = async () => {
    await stopTraffic();
    receiver.close();
  };
  return { owner, live, sandbox, joining, resetting: await createResetLink(server, owner, ws), end };
}

/** Allows receivers on this machine, as in development. */
async function allowLoopback(server) {
  const folder = join(server.folder, 'config');
  mkdirSync(folder);
  writeFileSync(join(folder, 'local.toml'), '[egress]\nallow_loopback = true\n');
  await server.kill();
  await server.serve();
}

/** Names the owner and creates the agents. */
async function createMembers(server) {
  const { email, password, workspace_id: ws } = server.made;
  const { access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } });
  await server.done('PATCH', '/auth/me', { token, body: { ...example.OWNER, current_password: password } });
  await server.done('PATCH', `/platform/workspaces/${ws}`, { token, body: { name: 'Northwind Bikes', time_zone: 'Europe/London' } });
  const owner = { token, email: example.OWNER.email, password };
  const people = { Maya: { token, id: (await server.done('GET', '/auth/me', { token })).user.id } };
  const members = `/platform/workspaces/${ws}/members`;
  for (const { name, email: address, role } of example.PEOPLE) {
    const { invitation_token: open } = await server.done('POST', members, { token, body: { email: address, role } });
    await server.done('POST', `/auth/invitations/${open}`, { body: { name, password: PASSWORD } });
    const { access_token: own } = await server.done('POST', '/auth/login', { body: { email: address, password: PASSWORD } });
    people[name.split(' ')[0]] = { token: own, id: (await server.done('GET', '/auth/me', { token: own })).user.id };
  }
  const { invitation_token: joining } = await server.done('POST', members, { token, body: example.INVITED });
  return { owner, people, ws, joining };
}

/** Creates a reset link for an agent. */
async function createResetLink(server, { token }, ws) {
  const members = `/platform/workspaces/${ws}/members`;
  const { data } = await server.done('GET', members, { token });
  const { id } = data.find((it) => it.email === 'jonas.weber@example.com');
  return (await server.done('POST', `${members}/${id}/reset-link`, { token })).reset_token;
}

/** Creates the keys of a workspace. The first key is the default for requests. */
async function createClient(server, owner, id, names) {
  const keys = {};
  for (const { name, scope, days } of names) {
    const expires_at = days && new Date(Date.now() + days * DAY).toISOString();
    const made = await server.done('POST', `/platform/workspaces/${id}/api-keys`, { token: owner.token, body: { name, scope, expires_at } });
    keys[name] = made.key;
  }
  const [token] = Object.values(keys);
  const request = (method) => (path, body, who) => requestWithRetry(server, method, `/api/v1/${path}`, who ? { body, token: who.token, workspace: id } : { body, token });
  return { id, keys, server, get: request('GET'), post: request('POST'), patch: request('PATCH'), put: request('PUT') };
}

/** Sends a request, and retries it after the rate limit is exceeded. */
async function requestWithRetry(server, method, path, options) {
  for (;;) {
    const answer = await server.call(method, path, options);
    if (answer.status < 300) return answer.body;
    if (answer.status !== 429) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    await new Promise((on) => setTimeout(on, 1_000 * Number(answer.headers.get('retry-after') ?? 1)));
  }
}

/** Creates the objects of both workspaces: tags, fields, texts, flows and sequences. */
async function createObjects(at) {
  at.tags = {};
  for (const it of example.TAGS) at.tags[it.name] = (await at.post('tags', it)).id;
  for (const it of example.FIELDS) await at.post('custom-fields', it);
  for (const it of example.BOT_FIELDS) await at.post('bot-fields', it);
  for (const it of example.SAVED_REPLIES) await at.post('saved-replies', it);
  for (const it of example.SEGMENTS) await at.post('segments', it);
  for (const { name, hosts } of example.SECRETS) await at.put(`secrets/${name}`, { value: 'made up', hosts });
  at.flows = {};
  for (const { name, definition, pause, isDraft } of example.FLOWS) {
    const first = name === 'Workshop booking' ? example.FIRST_WORKSHOP : definition;
    const { id } = await at.post('flows', { name, definition: first });
    at.flows[name] = id;
    if (!isDraft) await at.post(`flows/${id}/publish`);
    if (pause) await at.post(`flows/${id}/pause`);
  }
  at.sequences = {};
  for (const it of example.SEQUENCES) at.sequences[it.name] = (await at.post('sequences', it)).id;
}

/** Sets up the live workspace: a connected chat, customers, and receivers that accept or fail. */
async function setUpLive(live, receiver, people) {
  live.chat = await live.post('channels', { kind: 'http', name: 'Chat on the website', config: { url: `${receiver.origin}/messages` }, is_default: true });
  await live.post(`channels/${live.chat.id}/connect`);
  await live.post('channels', { kind: 'http', name: 'Text messages', config: { url: 'https://texts.northwind.example/messages' } });
  const hook = (path, description, events, more) => live.post('webhooks', { url: path, description, events, ...more });
  const types = ['contact.created', 'contact.tag_added', 'message.received', 'message.sent', 'conversation.created', 'flow.started', 'flow.completed', 'broadcast.completed'];
  live.hook = (await hook(`${receiver.origin}/customers`, 'Updates customers in the shop', types, { headers: { Authorization: 'Bearer example-secret-4f7a' } })).id;
  await hook('https://hooks.invalid/parcels', 'Sends new addresses to the parcel service', ['contact.created', 'contact.updated']);
  const { id: paused } = await hook('https://hooks.northwind.example/letters', 'Subscribers of the newsletter', ['contact.tag_added', 'contact.unsubscribed'], { payload: 'thin' });
  await live.post(`webhooks/${paused}/pause`);
  for (const customer of example.CUSTOMERS) await welcome(live, { ...customer, identities: [{ channel_id: live.chat.id, address: customer.email }] });
  for (const [at, text] of example.FIRST_WORDS) await sendMessage(live, at, text);
  await improve(live);
  await waiting(live, Date.now());
  live.import = await importTable(live);
  await changeObjects(live, people);
}

/** Changes objects as users, for the audit log. */
async function changeObjects(live, { Tom, Priya, Maya }) {
  const first = async (list, name) => (await live.get(`${list}?limit=100`)).data.find((it) => it.name === name).id;
  await live.patch(`tags/${await first('tags', 'vip')}`, { description: 'Has spent more than £2,500 in a year' }, Tom);
  await live.patch(`saved-replies/${await first('saved-replies', 'Returns')}`, { text: 'You can bring it back within 60 days, with the receipt and as good as new.' }, Priya);
  await live.patch(`segments/${await first('segments', 'Quiet for two weeks')}`, { name: 'Quiet for a fortnight' }, Tom);
  await live.post(`bot-fields/${await first('bot-fields', 'Days until a repair')}`, { value: 4 }, Maya);
  const platform = `/platform/workspaces/${live.id}/members`;
  const { data } = await live.server.done('GET', platform, { token: Maya.token });
  const elin = data.find((it) => it.name === 'Elin Dahl');
  await live.server.done('PATCH', `${platform}/${elin.id}`, { token: Maya.token, body: { role: 'member' } });
  await live.server.done('PATCH', `${platform}/${elin.id}`, { token: Maya.token, body: { role: 'viewer' } });
}

/** Sends a customer's message to the chat, signed like its provider's. */
async function sendMessage({ server, chat }, who, text) {
  const { first_name: name, email: address } = example.CUSTOMERS[who];
  const answer = await inbound(server, chat, { type: 'message', id: `said-${who}-${Date.now()}`, from: { address, name }, text });
  if (!answer.ok) throw new Error(`${chat.inbound_path}: ${answer.status} ${await answer.text()}`);
}

/** Imports a table with some invalid rows. */
async function importTable(live) {
  const headers = { Authorization: `Bearer ${live.keys['Till in the shop']}`, 'Content-Type': 'text/csv' };
  const answer = await fetch(`${live.server.origin}/api/v1/contacts/import`, { method: 'POST', headers, body: example.TABLE });
  const { id } = await answer.json();
  await until('the table is imported', async () => (await live.get(`contacts/imports/${id}`)).status === 'completed', 60);
  return id;
}

/** Starts a receiver that accepts nearly all deliveries at the first attempt. */
async function startReceiver() {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      count += 1;
      const isBusy = request.url === '/customers' && count % 23 === 5 && request.headers['x-service-attempt'] === '1';
      response.writeHead(isBusy ? 500 : 200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(isBusy ? { error: 'The shop is busy' } : { received: true }));
    });
  });
  const listening = (port) => new Promise((on, failed) => server.once('error', failed).listen(port, '127.0.0.1', on));
  await listening(9_000).catch(() => listening(0));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((on) => server.close(on)) };
}

/** Returns the ID of a delivery that succeeded at the second attempt. */
async function findRetried(live) {
  const { data } = await live.get(`webhooks/${live.hook}/deliveries?status=succeeded&limit=100`);
  return (data.find((it) => it.attempt_count > 1) ?? data[0]).id;
}

/**
 * Sends requests of API clients to the live workspace, some of them invalid, while customers write. Returns a
 * function that stops it.
 */
function traffic(live) {
  const [shop, till, dashboard, night] = Object.values(live.keys);
  const customer = (at) => `/api/v1/contacts/external_id:${example.CUSTOMERS[at % 60].external_id}`;
  const right = [
    (at) => ['GET', customer(at), { token: shop }],
    () => ['GET', '/api/v1/contacts?limit=20&sort=-last_message_at', { token: dashboard }],
    (at) => ['POST', `${customer(at)}/events`, { token: shop, body: { name: 'order.paid', data: { total: 20 + (at % 90) } } }],
    (at) => ['PATCH', customer(at), { token: till, body: { custom_fields: { loyalty_points: at % 700 } } }],
    () => ['GET', '/api/v1/analytics/overview?interval=hour', { token: dashboard }],
    () => ['GET', '/api/v1/conversations?status=open', { token: dashboard }],
    () => ['GET', '/api/v1/events?after=0&limit=50', { token: night }],
    (at) => ['GET', `${customer(at)}/timeline`, { token: shop }],
    () => ['GET', '/api/v1/flows', { token: dashboard }],
  ];
  const wrong = [
    (at) => ['GET', `/api/v1/contacts/external_id:NW-${9_000 + at}`, { token: till }],
    () => ['POST', '/api/v1/contacts', { token: till, body: { emial: 'rosa@example.com', phone: '12' } }],
    () => ['DELETE', customer(5), { token: till }],
    () => ['POST', '/api/v1/tags', { token: shop, body: { name: 'newsletter' } }],
    () => ['GET', '/api/v1/contacts?limit=1000', { token: night }],
    () => ['POST', '/api/v1/tags', { token: dashboard, body: { name: 'new' } }],
  ];
  let goesOn = true;
  const loop = async () => {
    for (let at = 0; goesOn; at += 1) {
      const [among, nth] = at % 8 === 5 ? [wrong, (at - 5) / 8] : [right, at * 4];
      await live.server.call(...among[nth % among.length](at));
      if (at % 20 === 9) await sendMessage(live, (at * 3 + Math.floor(at / 20)) % 60, example.PLAYS[at % example.PLAYS.length][0][1]);
      await new Promise((on) => setTimeout(on, 300 + 240 * Math.sin(at / 60)));
    }
  };
  const ended = loop();
  return async () => {
    goesOn = false;
    await ended;
  };
}
