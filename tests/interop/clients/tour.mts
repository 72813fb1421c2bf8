// Runs the tour of docs/tutorials/first-hour.md with the packed TypeScript client. TIDINGS is the server, KEY a key of scope full.
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CreateFlow, Tidings, TidingsError, Unreachable, verify, WebhookRefused } from 'tidings-client';

const url = process.env.TIDINGS ?? '';
const key = process.env.KEY ?? '';
const definition: CreateFlow['definition'] = {
  start: 'greet',
  nodes: [
    {
      id: 'greet',
      type: 'send_message',
      next: 'wait',
      message: { type: 'text', text: 'Hi {{ contact.first_name }}, you are on {{ custom_fields.plan }}.' },
    },
    { id: 'wait', type: 'delay', for: 'PT1S', next: 'tag' },
    { id: 'tag', type: 'add_tag', tag: 'welcomed', next: 'done' },
    { id: 'done', type: 'end' },
  ],
};

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function within<T>(seconds: number, what: string, look: () => Promise<T | undefined>): Promise<T> {
  const ends = Date.now() + seconds * 1000;
  while (Date.now() < ends) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what}: not within ${seconds} s`);
}

const received: { body: string; headers: IncomingHttpHeaders }[] = [];
const receiver = await serve((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => {
    received.push({ body, headers: request.headers });
    response.writeHead(204).end();
  });
});

const tidings = new Tidings({ url, key });
assert.equal((await tidings.me.get()).scope, 'full');
const hook = await tidings.webhooks.create({ url: receiver, events: ['*'] });
await tidings.customFields.create({ name: 'Plan', type: 'select', options: ['silver', 'gold'] });
const made = await tidings.contacts.create({
  external_id: 'ada',
  first_name: 'Ada',
  email: 'Ada@Example.com',
  tags: ['lead'],
  custom_fields: { plan: 'gold' },
});
assert.equal(made.email, 'ada@example.com');
assert.equal((await tidings.contacts.get('external_id:ada')).id, made.id);
await tidings.contacts.sendMessage('external_id:ada', { type: 'text', text: 'Welcome, Ada!' });
await tidings.tags.create({ name: 'welcomed' });
const flow = await tidings.flows.create({ name: 'Welcome', definition });
assert.equal((await tidings.flows.publish(flow.id, {})).status, 'active');
const started = await tidings.contacts.startFlow('external_id:ada', { flow_id: flow.id });
const run = await within(30, 'the run completes', async () => {
  const found = await tidings.flowRuns.get(started.id);
  return found.status === 'completed' ? found : undefined;
});
const steps = run.trace.map((step) => step.node_id);
assert.deepEqual(steps, ['greet', 'wait', 'wait', 'tag', 'done']);
for await (const conversation of tidings.conversations.each()) {
  const said = [];
  for await (const message of tidings.conversations.messages.each(conversation.id)) said.push(message.text);
  assert.deepEqual(said, ['Hi Ada, you are on gold.', 'Welcome, Ada!']);
}

const secret = hook.secret ?? '';
const kinds = await within(30, 'flow.completed is delivered', async () => {
  const seen = new Set(received.map((delivery) => verify(delivery.body, delivery.headers, secret).type as string));
  return seen.has('flow.completed') ? seen : undefined;
});
for (const { body, headers } of received) {
  assert.throws(() => verify(`${body} `, headers, secret), WebhookRefused);
}

await assert.rejects(tidings.contacts.create({ email: 'nobody', custom_fields: { plan: 'brass' } }), (error) => {
  assert(error instanceof TidingsError);
  assert.equal(error.code, 'validation_failed');
  assert(error.errors.some((place) => place.pointer === '/email'));
  return true;
});
const twice = { idempotencyKey: 'import-42' };
const first = await tidings.contacts.create({ external_id: 'grace' }, undefined, twice);
assert.deepEqual(await tidings.contacts.create({ external_id: 'grace' }, undefined, twice), first);

for (let number = 0; number < 5; number += 1) {
  await tidings.contacts.create({ external_id: `page-${number}`, custom_fields: { plan: 'silver' } });
}
const found = [];
for await (const one of tidings.contacts.each({ custom_fields: { plan: 'silver' }, limit: 2 })) found.push(one.id);
assert.equal(found.length, 5);
const table = await (await tidings.contacts.export({ format: 'csv' })).text();
assert(table.split('\n').length > 5);
assert.equal(await tidings.contacts.delete(found[0] ?? ''), undefined);

const keys: (string | string[] | undefined)[] = [];
const busy = await serve((request, response) => {
  keys.push(request.headers['idempotency-key']);
  response.writeHead(keys.length === 1 ? 503 : 201, { 'Content-Type': 'application/json', 'Retry-After': '0' });
  response.end('{}');
});
await new Tidings({ url: busy, key }).tags.create({ name: 'again' });
assert.equal(keys.length, 2);
assert(keys[0] !== undefined && keys[0] === keys[1]);
await assert.rejects(new Tidings({ url: 'http://127.0.0.1:9', key, retries: 1 }).me.get(), Unreachable);
console.log(`the TypeScript client played the tour: ${kinds.size} kinds of event verified`);
process.exit(0);
