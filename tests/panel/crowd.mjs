// A workspace with 100,000 contacts, imported by the `import` command, and some objects of every other type.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inbound } from './server.mjs';

const run = promisify(execFile);
const NAMES = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Alan', 'Radia', 'Donald', 'Frances', 'Ken', 'Margaret'];
const TAGS = ['vip', 'newsletter', 'commuter', 'racing', 'family'];
const PLANS = ['free', 'silver', 'gold'];
const HEADINGS = 'external_id,first_name,last_name,email,phone,tags,custom_fields.plan,custom_fields.points,custom_fields.since';

/** Imports contacts with tags and custom fields with the command. Returns the duration in seconds. */
export async function importContacts(server, count) {
  const post = client(server);
  await post('custom-fields', { name: 'Plan', type: 'select', options: PLANS });
  await post('custom-fields', { name: 'Points', type: 'number' });
  await post('custom-fields', { name: 'Since', type: 'date' });
  const rows = Array.from({ length: count }, (_, at) => {
    const name = NAMES[at % NAMES.length];
    const phone = `0151 ${String(10_000_000 + at)}`;
    const tags = at % 4 === 0 ? '' : TAGS[at % TAGS.length];
    const since = `20${10 + (at % 15)}-0${1 + (at % 9)}-1${at % 10}`;
    return `c${at},${name},Example ${at % 997},person${at}@example.com,${phone},${tags},${PLANS[at % 3]},${at % 1_000},${since}`;
  });
  const file = join(server.folder, 'people.csv');
  writeFileSync(file, `${HEADINGS}\n${rows.join('\n')}\n`);
  const began = performance.now();
  const options = ['--workspace', server.made.workspace_id, '--format', 'phone=phone:DE', '--json'];
  const { stdout } = await run(process.env.TEST_TIDINGS, ['import', 'contacts', file, ...options], { cwd: server.folder });
  const { created } = JSON.parse(stdout);
  if (created !== count) throw new Error(`the import created ${created} contacts: ${stdout}`);
  return (performance.now() - began) / 1_000;
}

/** Creates conversations, and at least one object for each page that shows objects. */
export async function createObjects(server, conversations) {
  const post = client(server);
  const chat = await post('channels', { kind: 'http', name: 'Chat on the website', config: { url: 'https://provider.invalid/' }, is_default: true });
  await post(`channels/${chat.id}/connect`);
  await post('webhooks', { url: 'https://hooks.invalid/crm', events: ['contact.created'], description: 'The CRM' });
  for (let at = 0; at < 20; at += 1) await post('contacts', { external_id: `late-${at}`, first_name: 'Late' });
  for (let at = 0; at < conversations; at += 1) {
    const from = { address: `customer-${at}`, name: `Customer ${at}` };
    const answer = await inbound(server, chat, { type: 'message', id: `question-${at}`, from, text: `Question ${at}: when are you open?` });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }
  const all = { all: [] };
  const radias = { field: 'first_name', op: 'eq', value: 'Radia' };
  const gold = { all: [{ field: 'custom_fields.plan', op: 'eq', value: 'gold' }, { field: 'custom_fields.points', op: 'gt', value: 500 }] };
  await post('segments', { name: 'Everyone', condition: all });
  await post('segments', { name: 'Radias', condition: radias });
  await post('segments', { name: 'Gold', condition: gold });
  await createAutomation(post);
  const message = { type: 'text', text: 'Hello {{ contact.first_name | default("there") }}, we open at nine.' };
  await post('broadcasts', { name: 'Opening hours', audience: all, message });
  await post('broadcasts', { name: 'Spring news', audience: radias, message });
  await post('saved-replies', { name: 'Hello', text: 'Hello {{ contact.first_name | default("there") }}' });
  await post('bot-fields', { name: 'Season', type: 'text', value: 'winter' });
  await server.done('PUT', '/api/v1/secrets/CRM_TOKEN', { token: server.made.key, body: { value: 'made up', hosts: ['api.crm.example'] } });
}

/** A flow of 30 nodes with runs, and a sequence with enrollments. */
async function createAutomation(post) {
  const say = (text) => ({ type: 'send_message', message: { type: 'text', text } });
  const nodes = Array.from({ length: 28 }, (_, at) => ({ id: `say_${at}`, ...say(`Message ${at}`), next: at < 27 ? `say_${at + 1}` : 'end' }));
  const ask = { id: 'ask', type: 'ask', message: { type: 'text', text: 'Shall we write to you?' }, expect: 'boolean', save_to: 'vars.sure', timeout: 'P1D', next: 'say_0', on_timeout: 'end', on_invalid: 'end' };
  const flow = await post('flows', { name: 'Welcome', definition: { start: 'ask', nodes: [ask, ...nodes, { id: 'end', type: 'end' }] } });
  await post(`flows/${flow.id}/publish`);
  const steps = [{ id: 'hello', delay: 'P1D', action: say('Good morning') }, { id: 'more', delay: 'P2D', action: say('Three things to try') }];
  const sequence = await post('sequences', { name: 'First week', status: 'active', steps });
  for (let at = 0; at < 50; at += 1) {
    await post(`contacts/external_id:c${at}/start-flow`, { flow_id: flow.id });
    await post(`contacts/external_id:c${at}/sequences/${sequence.id}`);
  }
}

const client = (server) => (path, body) => server.done('POST', `/api/v1/${path}`, { token: server.made.key, body });
