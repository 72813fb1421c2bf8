// Checks every page and dialog in both schemes for accessibility and for all window sizes, and takes screenshots. They
// are also checked in German, those with long texts in the width of a phone.
//
// The checks are three parts of similar duration, which run in parallel, each with its own server: `all-pages.test.mjs`,
// `dialogs.test.mjs` and `german.test.mjs`. They set TEST_PAGES to the name of their part.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beyond, contrast, launch, picture, rest, signIn, smallButtons, violations, violationsOfTexts, visitor } from './browser.mjs';
import { Server, until } from './server.mjs';
import { inGerman, wordsOf } from './words.mjs';

const PAGES = {
  home: '/',
  contacts: '/contacts',
  'contacts-filter': `/contacts?filter=${encodeURIComponent('{"field":"first_name","op":"eq","value":"Ada"}')}`,
  'create-contact': '/contacts?create=true',
  'import-contacts': '/contacts/import',
  'contacts-import': '/contacts',
  'contacts-bulk': '/contacts?bulk=new',
  segments: '/segments',
  'create-segment': '/segments?create=true',
  tags: '/settings/tags',
  'custom-fields': '/settings/fields',
  'bot-fields': '/settings/bot-fields',
  'create-field': '/settings/fields?create=true',
  'api-docs': '/developers/docs',
  'usage-log': '/developers/log',
  'usage-log-errors': '/developers/log?tab=errors',
  sandbox: '/developers/sandbox',
  inbox: '/inbox',
  broadcasts: '/broadcasts',
  broadcast: '/broadcasts',
  'create-broadcast': '/broadcasts?create=true',
  'api-keys': '/settings/api-keys',
  'create-key': '/settings/api-keys?create=true',
  members: '/settings/members',
  'invite-member': '/settings/members?invite=true',
  workspace: '/settings/workspace',
  storage: '/settings/storage',
  profile: '/settings/profile',
  'audit-log': '/settings/audit-log',
  webhooks: '/webhooks',
  channels: '/channels',
  'add-channel': '/channels?create=true',
  events: '/events',
  'dead-letters': '/developers/jobs',
  secrets: '/settings/secrets',
  'add-secret': '/settings/secrets?create=true',
  'saved-replies': '/settings/saved-replies',
  'create-saved-reply': '/settings/saved-replies?create=true',
  analytics: '/analytics',
  'reply-times': '/reply-times',
  'create-webhook': '/webhooks?create=true',
  webhook: '/webhooks',
  'webhook-settings': '/webhooks',
  'webhook-stats': '/webhooks',
  'webhook-verify': '/webhooks',
  flows: '/flows',
  'create-flow': '/flows?create=true',
  flow: '/flows',
  'flow-simulate': '/flows',
  'flow-runs': '/flows',
  'flow-statistics': '/flows',
  'flow-versions': '/flows',
  'flow-json': '/flows',
  sequences: '/sequences',
  sequence: '/sequences',
  'sequence-simulate': '/sequences',
  'sequence-enrollments': '/sequences',
};
/** The pages with the longest German texts. They are also checked for contrast, and in the width of a phone. */
const LONG_IN_GERMAN = ['home', 'contacts-filter', 'import-contacts', 'contacts-import', 'contacts-bulk', 'create-segment', 'usage-log',
  'inbox', 'broadcast', 'create-key', 'members', 'workspace', 'audit-log', 'add-channel', 'dead-letters', 'reply-times',
  'webhook-settings', 'webhook-verify', 'flow', 'flow-runs', 'flow-statistics', 'sequence-simulate'];
/** The dialogs and tabs of pages: the address, and a function that opens it. */
const OPENED = {
  'contacts-rules': ['/contacts', async (page) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Field' }).waitFor();
  }],
  contact: ['/contacts', (page) => page.getByRole('link', { name: 'Ada' }).first().click().then(() => page.getByRole('tab', { name: 'Timeline' }).waitFor())],
  'contact-profile': ['/contacts', async (page) => {
    await page.getByRole('link', { name: 'Ada' }).first().click();
    await page.getByRole('tab', { name: 'Profile' }).click();
    await page.getByRole('textbox', { name: 'First name' }).waitFor();
  }],
  'export-contacts': ['/contacts', async (page) => {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('radio', { name: 'Selected columns' }).click();
    await page.getByRole('checkbox', { name: 'External ID' }).waitFor();
  }],
  'import-columns': ['/contacts/import', async (page) => {
    await toColumns(page);
    await page.getByText(/columns? needs? a decision/).waitFor();
  }],
  'import-check': ['/contacts/import', async (page) => {
    await toColumns(page);
    await page.getByRole('button', { name: /Do not import the .*unknown column/ }).click();
    await page.getByText('All columns are ready').waitFor();
    await page.getByRole('button', { name: 'Continue to the check' }).click();
    await page.getByRole('button', { name: 'Import 2 rows' }).waitFor();
  }],
  'tag-details': ['/settings/tags', async (page) => {
    await page.getByRole('cell', { name: 'vip' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
  }],
  'segment-details': ['/segments', async (page) => {
    await page.getByRole('cell', { name: 'Adas', exact: true }).click();
    await page.getByText(/contacts are in it now/).waitFor();
  }],
  'contacts-chosen': ['/contacts', (page) => page.getByRole('checkbox', { name: 'Choose Ada' }).first().check()],
  'key-details': ['/settings/api-keys', (page) => page.getByRole('cell', { name: 'backend', exact: true }).click()],
  'key-rotation': ['/settings/api-keys', async (page) => {
    await page.getByRole('cell', { name: 'backend', exact: true }).click();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByText(/Both keys work until/).waitFor();
  }],
  'request-details': ['/developers/log', (page) => page.getByRole('row', { name: /422/ }).first().click()],
  'member-details': ['/settings/members', (page) => page.getByRole('cell', { name: 'grace@example.com' }).click()],
  'audit-entry': ['/settings/audit-log?type=tag', async (page) => {
    await page.getByRole('row').nth(1).click();
    await page.getByRole('button', { name: 'All changes of this object' }).waitFor();
  }],
  'password-link': ['/settings/members', async (page) => {
    await page.getByRole('cell', { name: 'eve@example.com' }).click();
    await page.getByRole('button', { name: 'Create password link' }).click();
    await page.getByRole('button', { name: 'Create link', exact: true }).click();
    await page.getByText('The link works once, for an hour').waitFor();
  }],
  'sandbox-message': ['/developers/sandbox', (page) => page.getByRole('region', { name: 'Outbox' }).getByRole('row', { name: /A colleague/ }).first().click()],
  'channel-details': ['/channels', async (page) => {
    await page.getByRole('cell', { name: 'Support chat' }).click();
    await page.getByText('This channel has not sent any messages yet').waitFor();
  }],
  'event-details': ['/events', (page) => page.getByRole('row', { name: /contact.created/ }).first().click()],
  'secret-details': ['/settings/secrets', (page) => page.getByRole('cell', { name: 'CRM_TOKEN', exact: true }).click()],
  'saved-reply-details': ['/settings/saved-replies', async (page) => {
    await page.getByRole('cell', { name: 'Greeting' }).click();
    await page.getByText('Hello there').waitFor();
  }],
  'analytics-table': ['/analytics', (page) => page.getByRole('button', { name: 'Show as a table: Contacts' }).click()],
  'webhook-delivery': ['/webhooks', async (page) => {
    await page.getByRole('cell', { name: 'https://hooks.invalid/crm' }).click();
    await page.getByRole('row', { name: /contact.created/ }).first().click();
    await page.getByText('Each attempt has a new signature').waitFor();
  }],
  'webhook-rotation': ['/webhooks', async (page) => {
    await page.getByRole('cell', { name: 'https://hooks.invalid/crm' }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Rotate the secret' }).click();
    await page.getByText(/has two signatures/).waitFor();
  }],
  'flow-run': ['/flows', async (page) => {
    await page.getByRole('cell', { name: 'Welcome', exact: true }).click();
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.getByRole('cell', { name: 'waiting' }).first().click();
    await page.getByRole('heading', { name: 'Step by step' }).waitFor();
  }],
  'flow-waiting': ['/flows', async (page) => {
    await page.getByRole('cell', { name: 'Welcome', exact: true }).click();
    await page.getByRole('tab', { name: 'Statistics' }).click();
    await page.getByRole('cell', { name: 'Shall we write to you?' }).first().waitFor();
    await page.getByRole('button', { name: '1 now at Ask: show the runs' }).press('Enter');
    await page.getByRole('cell', { name: 'waiting' }).first().waitFor();
    assert.match(await page.getByRole('combobox', { name: 'At node' }).inputValue(), /^(Ask|Fragen): Shall we write to you\?$/);
    assert.equal(new URL(page.url()).searchParams.get('node'), 'sure');
  }],
  'flow-story': ['/flows', async (page) => {
    await page.getByRole('cell', { name: 'Welcome', exact: true }).click();
    await page.getByRole('tab', { name: 'Simulate' }).click();
    await page.getByRole('button', { name: /^says yes/ }).click();
    await page.getByRole('log').getByText('You are on the list.').waitFor();
  }],
  'sequence-step': ['/sequences', async (page) => {
    await page.getByRole('cell', { name: 'First week', exact: true }).click();
    await page.getByRole('button', { name: /Good morning/ }).click();
    await page.getByText('Delay after the enrollment').waitFor();
  }],
  search: ['/', async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find a page, a name or an ID' }).waitFor();
  }],
  'person-menu': ['/', (page) => page.getByRole('button', { name: /Your account/ }).click()],
  'workspace-menu': ['/', (page) => page.getByRole('button', { name: /Choose a workspace/ }).click()],
  'api-popover': ['/settings/api-keys', (page) => page.getByRole('button', { name: 'API', exact: true }).click()],
  'first-call': ['/', (page) => page.getByRole('button', { name: /^Make the first call/ }).first().click()],
  failing: ['/settings/members', async (page) => {
    await page.route('**/platform/workspaces/*/members*', (route) => route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"code":"internal","detail":"Something broke here.","request_id":"req_01h455vb4pex5vsknk084sn02q"}' }));
    await page.reload();
    await page.getByRole('alert').waitFor();
  }],
  'nothing-found': ['/developers/log?error_code=never', (page) => page.getByText('No request matches the filters').waitFor()],
};
/** The main action of a page that opens a form. */
const ACTIONS = {
  '/contacts': 'Create contact',
  '/segments': 'Create segment',
  '/flows': 'Create flow',
  '/sequences': 'Create sequence',
  '/broadcasts': 'Create broadcast',
  '/channels': 'Add a channel',
  '/webhooks': 'Create webhook',
  '/settings/api-keys': 'Create key',
  '/settings/tags': 'Create tag',
  '/settings/fields': 'Create custom field',
  '/settings/bot-fields': 'Create bot field',
  '/settings/members': 'Invite a member',
  '/settings/secrets': 'Add a secret',
  '/settings/saved-replies': 'Create saved reply',
};
/** Chooses a table in the dialog for imports. */
const chooseTable = (page, text, name = 'people.csv') => page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const toColumns = async (page) => {
  await chooseTable(page, 'E-Mail,First name,Remarks of May\nada@example.com,Ada,met in May\nno address,Grace,\n');
  await page.getByRole('button', { name: 'Continue to the columns' }).click();
};
const SIZES = [[360, 740], [768, 900], [1440, 900], [3840, 2160]];
const PHONE = [390, 844];
const SCRIPT = '<script>document.title="run"</script><img src=x onerror=document.title="run">';

/** Declares a test of a part. */
const testOf = (part, name, run) => {
  if (process.env.TEST_PAGES === part) test(name, run);
};

let server, browser, owner, german;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  await furnish();
  owner = await visitor(browser, server.origin);
  await signIn(owner.page, server.made);
  german = await germanOwner();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** The owner with a German browser. The account has no language, so the panel has the one of the browser. */
async function germanOwner() {
  const t = wordsOf('de');
  const { email, password } = server.made;
  const it = await visitor(browser, server.origin, { locale: 'de-DE' });
  await it.page.goto('/login');
  await it.page.getByLabel(t('login.email')).fill(email);
  await it.page.getByLabel(t('login.password'), { exact: true }).fill(password);
  await it.page.getByRole('button', { name: t('login.signIn') }).click();
  await it.page.getByRole('heading', { name: t('home.title'), level: 1 }).waitFor();
  return it;
}

/** Creates a workspace with data. All names contain a script. */
async function furnish() {
  const { email, password, workspace_id: ws } = server.made;
  const { access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } });
  const key = (name, scope, more) =>
    server.done('POST', `/platform/workspaces/${ws}/api-keys`, { token, body: { name, scope, ...more } });
  const backend = await key('backend', 'full');
  const sync = await key('crm-sync', 'write');
  const dashboard = await key('dashboard', 'read', { expires_at: new Date(Date.now() + 3 * 86_400_000).toISOString() });
  for (let at = 0; at < 24; at += 1) {
    await server.done('POST', '/api/v1/contacts', { token: backend.key, body: { external_id: `c${at}`, first_name: 'Ada' } });
    await server.done('GET', '/api/v1/contacts', { token: dashboard.key });
    if (at % 4 === 0) await server.call('POST', '/api/v1/contacts', { token: sync.key, body: { emial: 'a', email: 'b' } });
    if (at % 6 === 0) await server.call('DELETE', '/api/v1/contacts/external_id:c0', { token: sync.key });
  }
  await server.done('POST', '/api/v1/tags', { token: backend.key, body: { name: 'vip', color: '#4c6ef5', description: 'People who buy often' } });
  await server.done('POST', '/api/v1/custom-fields', { token: backend.key, body: { name: 'Plan', type: 'select', options: ['free', 'gold'] } });
  await server.done('POST', '/api/v1/bot-fields', { token: backend.key, body: { name: 'Season', type: 'text', value: 'winter' } });
  const sandbox = await server.done('POST', `/platform/workspaces/${ws}/sandbox`, { token });
  const test = await server.done('POST', `/platform/workspaces/${sandbox.id}/api-keys`, { token, body: { name: 'CI', scope: 'full' } });
  const say = (text) => ({ type: 'send_message', message: { type: 'text', text } });
  const flow = await server.done('POST', '/api/v1/flows', {
    token: test.key,
    body: {
      name: 'Greeting',
      definition: {
        triggers: [{ type: 'keyword', match: 'contains', keywords: ['hello'] }],
        start: 'greet',
        nodes: [
          { id: 'greet', ...say('Good to hear from you, {{ contact.first_name | default("there") }}.'), next: 'offer' },
          { id: 'offer', ...say('A colleague is with you in a moment.'), next: 'end' },
          { id: 'end', type: 'end' },
        ],
      },
    },
  });
  await server.done('POST', `/api/v1/flows/${flow.id}/publish`, { token: test.key });
  await server.done('POST', '/api/v1/contacts', { token: test.key, body: { external_id: 'ada', first_name: 'Ada' } });
  let said;
  for (const text of ['hello', 'Is the gold plan billed yearly?']) {
    said = await server.done('POST', `/platform/workspaces/${ws}/sandbox/inbound`, { token, body: { contact: 'ada', text } });
  }
  const hook = await server.done('POST', '/api/v1/webhooks', { token: backend.key, body: { url: 'https://hooks.invalid/crm', events: ['*'], description: 'Keeps the CRM in step' } });
  await server.done('POST', '/api/v1/contacts', { token: backend.key, body: { external_id: 'hooked', first_name: 'Grace' } });
  await server.done('POST', '/api/v1/channels', { token: backend.key, body: { kind: 'http', name: 'Support chat', config: { url: 'https://provider.invalid/messages' } } });
  await server.done('PUT', '/api/v1/secrets/CRM_TOKEN', { token: backend.key, body: { value: 'a secret', hosts: ['api.crm.example'] } });
  await server.done('POST', '/api/v1/saved-replies', { token: backend.key, body: { name: 'Greeting', text: 'Hello {{ contact.first_name | default("there") }}' } });
  PAGES.webhook = `/webhooks/${hook.id}`;
  for (const tab of ['settings', 'stats', 'verify']) PAGES[`webhook-${tab}`] = `/webhooks/${hook.id}?tab=${tab}`;
  await server.done('POST', '/api/v1/segments', { token: backend.key, body: { name: 'Adas', condition: { field: 'first_name', op: 'eq', value: 'Ada' } } });
  const message = { type: 'text', text: 'Hello {{ contact.first_name | default("there") }}, we open at nine.' };
  const news = (name) => server.done('POST', '/api/v1/broadcasts', { token: backend.key, body: { name, audience: { all: [] }, message } });
  PAGES.broadcast = `/broadcasts/${(await news('Opening hours')).id}`;
  await server.done('POST', `/api/v1/broadcasts/${(await news('Spring news')).id}/send`, { token: backend.key, body: {} });
  await automate(backend.key);
  PAGES.sandbox = `/developers/sandbox?ws=${sandbox.id}`;
  PAGES.inbox = `/inbox/${said.conversation_id}?view=bot&ws=${sandbox.id}`;
  for (const [address, role] of [['grace@example.com', 'admin'], ['edsger@example.com', 'viewer']]) {
    await server.done('POST', `/platform/workspaces/${ws}/members`, { token, body: { email: address, role } });
  }
  const { invitation_token: open } = await server.done('POST', `/platform/workspaces/${ws}/members`, { token, body: { email: 'eve@example.com', role: 'member' } });
  await server.done('POST', `/auth/invitations/${open}`, { body: { name: 'Eve', password: 'a long enough password' } });
  PAGES['contacts-import'] = `/contacts/import?id=${await imported(backend.key)}`;
  await server.done('PATCH', `/platform/workspaces/${ws}`, { token, body: { name: 'Acme', time_zone: 'Europe/Berlin' } });
  await until('the requests are in the log', async () => {
    const { data } = await server.done('GET', `/platform/workspaces/${ws}/usage?limit=100`, { token });
    return data.length >= 50;
  });
}

/** Imports a table with an invalid row. */
async function imported(key) {
  const answer = await fetch(`${server.origin}/api/v1/contacts/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'text/csv' },
    body: 'external_id,email\nt1,ada@example.com\nt2,no address\n',
  });
  const { id } = await answer.json();
  await until('the table is taken in', async () => (await server.done('GET', `/api/v1/contacts/imports/${id}`, { token: key })).status === 'completed');
  return id;
}

/** Creates a flow with a run and two scripts, and a sequence with an enrollment. */
async function automate(token) {
  const say = (text) => ({ type: 'send_message', message: { type: 'text', text } });
  const definition = {
    triggers: [{ type: 'keyword', keywords: ['news'] }],
    start: 'sure',
    nodes: [
      { id: 'sure', type: 'ask', message: { type: 'text', text: 'Shall we write to you?' }, expect: 'boolean', save_to: 'vars.sure', timeout: 'PT1H', next: 'which', on_timeout: 'end', on_invalid: 'end' },
      { id: 'which', type: 'branch', branches: [{ when: { field: 'vars.sure', op: 'eq', value: true }, next: 'yes' }], otherwise: 'end' },
      { id: 'yes', ...say('You are on the list.'), next: 'end' },
      { id: 'end', type: 'end' },
    ],
    scripts: ['yes', 'no'].map((answer) => ({ name: `says ${answer}`, script: [{ message: 'news' }, { message: answer }], expect: { nodes: ['sure', 'which'] } })),
  };
  const flow = await server.done('POST', '/api/v1/flows', { token, body: { name: 'Welcome', definition } });
  await server.done('POST', `/api/v1/flows/${flow.id}/publish`, { token });
  await server.done('POST', '/api/v1/contacts/external_id:c1/start-flow', { token, body: { flow_id: flow.id } });
  definition.nodes[2].message.text = 'You are on the list. Answer STOP to leave it.';
  await server.done('PATCH', `/api/v1/flows/${flow.id}`, { token, body: { definition } });
  const steps = [
    { id: 'hello', delay: 'P1D', window: { from: '09:00', to: '12:00' }, action: say('Good morning') },
    { id: 'more', delay: 'P2D', action: say('Three things to try') },
  ];
  const sequence = await server.done('POST', '/api/v1/sequences', { token, body: { name: 'First week', status: 'active', exit_on: ['reply'], steps } });
  await server.done('POST', `/api/v1/contacts/external_id:c1/sequences/${sequence.id}`, { token });
  PAGES.flow = `/flows/${flow.id}`;
  for (const tab of ['simulate', 'runs', 'statistics', 'versions', 'json']) PAGES[`flow-${tab}`] = `/flows/${flow.id}?tab=${tab}`;
  PAGES.sequence = `/sequences/${sequence.id}`;
  for (const tab of ['simulate', 'enrollments']) PAGES[`sequence-${tab}`] = `/sequences/${sequence.id}?tab=${tab}`;
}

/** Adds the live workspace to a path, unless the path contains a workspace. */
const here = (path) => (path.includes('ws=') ? path : `${path}${path.includes('?') ? '&' : '?'}ws=${server.made.workspace_id}`);

for (const name of Object.keys(PAGES)) {
  testOf('pages', `${name}, in both schemes and every size`, async () => {
    const { page } = owner;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(here(PAGES[name]));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await rest(page);
    if (name === 'sandbox') await page.getByTestId('sandbox-stripe').waitFor();
    if (name === 'api-docs') await page.getByRole('heading', { name: 'Tidings', level: 1 }).waitFor();
    if (['audit-log', 'usage-log'].includes(name)) assert.equal(await filterLines(page), 1);
    await inBothSchemes(page, name);
    for (const [width, height] of SIZES) {
      await fitsIn(page, width, height);
      if (width === 360) await picture(page, `${name}-narrow`);
    }
  });
}

/** The number of lines of the filters of a list. */
function filterLines(page) {
  return page.evaluate(() => new Set([...document.querySelectorAll('main .mantine-Input-input')].map((it) => Math.round(it.getBoundingClientRect().top))).size);
}

/** Checks that the page and its controls are inside of a window of this size. */
async function fitsIn(page, width, height) {
  await page.setViewportSize({ width, height });
  // Charts are rendered again after the window became smaller.
  const fits = () => document.documentElement.scrollWidth <= window.innerWidth;
  await page.waitForFunction(fits, null, { timeout: 5_000 }).catch(() => {});
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(over <= 0, `at ${width} px the page is ${over} px too wide`);
  assert.deepEqual(await beyond(page), [], `at ${width} px`);
}

for (const name of Object.keys(PAGES)) {
  testOf('german', `${name}, in German`, async () => {
    const { page, faults } = german;
    await openGerman(PAGES[name]);
    if (name === 'sandbox') await page.getByTestId('sandbox-stripe').waitFor();
    if (name === 'api-docs') await page.getByRole('heading', { name: 'Tidings', level: 1 }).waitFor();
    if (LONG_IN_GERMAN.includes(name)) {
      assert.deepEqual(await violations(page), []);
      await fitsIn(page, ...PHONE);
    } else {
      assert.deepEqual(await violationsOfTexts(page), []);
    }
    assert.deepEqual(faults, []);
  });
}

/** Opens a page of the German owner. */
async function openGerman(path) {
  const { page } = german;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(here(path));
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await rest(page);
  assert.equal(await page.locator('html').getAttribute('lang'), 'de');
}

for (const [name, [path, open]] of Object.entries(OPENED)) {
  testOf('dialogs', `${name}, in both schemes`, async () => {
    const { page } = owner;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(here(path));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await rest(page);
    await open(page);
    await rest(page);
    await inBothSchemes(page, name);
    await page.unrouteAll();
  });
  testOf('german', `${name}, in German`, async () => {
    const { page, faults } = german;
    await openGerman(path);
    await open(inGerman(page));
    await rest(page);
    assert.deepEqual(await violationsOfTexts(page), []);
    await page.unrouteAll();
    assert.deepEqual(faults, []);
  });
}

/** Checks the page in both schemes. Only colours differ, so the dark one is checked for contrast only. */
async function inBothSchemes(page, name) {
  await scheme(page, 'dark');
  await picture(page, `${name}-dark`);
  assert.deepEqual(await contrast(page), [], 'dark');
  await scheme(page, 'light');
  await picture(page, `${name}-light`);
  assert.deepEqual(await violations(page), [], 'light');
  assert.deepEqual(await smallButtons(page), []);
}

/** Switches the page to a colour scheme, like a change of the system setting. */
async function scheme(page, colorScheme) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}

testOf('dialogs', 'the sign-in form, links and an unknown address, in both schemes', async () => {
  const { page, context, faults } = await visitor(browser, server.origin);
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto('/login');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await picture(page, `sign-in-${scheme}`);
    assert.deepEqual(await violations(page), []);
    await page.goto('/join/nothing');
    await page.getByText('This invitation is no longer valid').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.goto('/reset/nothing');
    await page.getByText('This link is no longer valid').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.goto('/nowhere');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    assert.deepEqual(await violations(page), []);
  }
  assert.deepEqual(faults, []);
  await context.close();
});

testOf('dialogs', 'nothing that people named or said is run, and no page asks for anything elsewhere', async () => {
  const { email, password, workspace_id: ws } = server.made;
  const { access_token: token } = await server.done('POST', '/auth/login', { body: { email, password } });
  const platform = `/platform/workspaces/${ws}`;
  await server.done('PATCH', platform, { token, body: { name: SCRIPT } });
  await server.done('POST', `${platform}/api-keys`, { token, body: { name: SCRIPT, scope: 'read' } });
  await server.done('POST', '/api/v1/broadcasts', { token, workspace: ws, body: { name: SCRIPT, audience: { all: [] }, message: { type: 'text', text: SCRIPT } } });
  await server.done('POST', `${platform}/sandbox/inbound`, { token, body: { contact: 'ada', text: SCRIPT } });
  await server.done('POST', '/api/v1/contacts', { token, workspace: ws, body: { first_name: SCRIPT, tags: [SCRIPT] } });
  await server.done('POST', '/api/v1/webhooks', { token, workspace: ws, body: { url: 'https://hooks.invalid/', events: ['*'], description: SCRIPT } });
  await server.done('POST', '/api/v1/channels', { token, workspace: ws, body: { kind: 'sandbox', name: SCRIPT } });
  await server.done('POST', '/api/v1/saved-replies', { token, workspace: ws, body: { name: SCRIPT, text: 'Hello' } });
  const { invitation_token: open } = await server.done('POST', `${platform}/members`, { token, body: { email: 'mallory@example.com', role: 'viewer' } });
  await server.done('POST', `/auth/invitations/${open}`, { body: { name: SCRIPT, password: 'a long enough password' } });
  await server.done('POST', '/api/v1/flows', { token, workspace: ws, body: { name: SCRIPT } });
  await server.done('POST', '/api/v1/sequences', { token, workspace: ws, body: { name: SCRIPT } });
  await server.done('POST', '/api/v1/segments', { token, workspace: ws, body: { name: SCRIPT, condition: { all: [] } } });
  const { page, faults } = owner;
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await rest(page);
    assert.notEqual(await page.title(), 'run', name);
    if (['api-keys', 'contacts', 'tags', 'members', 'sandbox', 'inbox', 'webhooks', 'broadcasts', 'flows', 'sequences', 'segments', 'channels', 'saved-replies', 'audit-log'].includes(name)) await page.getByText(SCRIPT).first().waitFor();
  }
  await page.goto('/contacts/import');
  await chooseTable(page, `external_id,"${SCRIPT.replaceAll('"', '""')}"\n1,"${SCRIPT.replaceAll('"', '""')}"\n`, `${SCRIPT}.csv`.replaceAll('/', '_'));
  await page.getByRole('button', { name: 'Continue to the columns' }).click();
  const columns = page.getByRole('list', { name: 'Columns of the table' });
  // The heading and the cell. The page shows their first 60 characters.
  await columns.getByText(SCRIPT.slice(0, 60)).nth(1).waitFor();
  assert.notEqual(await page.title(), 'run', 'a table that is chosen');
  assert.deepEqual(faults, []);
});

testOf('dialogs', 'every page is reached, and a key made, by keyboard alone', async () => {
  const { page } = owner;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  for (const [words, heading] of [['usage', 'Usage log'], ['members', 'Members'], ['profile', 'Profile'], ['docs', 'API docs'], ['sandbox', 'Sandbox'], ['workspace', 'Workspace']]) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find a page, a name or an ID' }).waitFor();
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: heading, level: 1 }).first().waitFor();
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find a page, a name or an ID' }).waitFor();
  await page.keyboard.type('create key');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Name').waitFor();
  await page.keyboard.type('by keyboard');
  await page.keyboard.press('Enter');
  await page.getByText('Your new key').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: /by keyboard/ }).waitFor();
});

testOf('dialogs', 'from the first tab stop the main action of each page is reached and begun by keyboard alone', async () => {
  const { page } = owner;
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  for (const [path, action] of Object.entries(ACTIONS)) {
    await page.goto(here(path));
    await page.getByRole('button', { name: action, exact: true }).first().waitFor();
    await rest(page);
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Skip to the content', path);
    await page.keyboard.press('Enter');
    for (let stop = 0; stop < 8 && (await focused()) !== action; stop += 1) await page.keyboard.press('Tab');
    assert.equal(await focused(), action, path);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});
