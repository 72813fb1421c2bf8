// Measures page changes with 100,000 contacts. Every page is visited five times by links, as a user does.
// Prints the median, the first and the longest time of each page, and names the pages above the limit.
// TEST_TIDINGS names the program, which should be an optimised build.
import { launch, signIn, visitor } from './browser.mjs';
import { createObjects, importContacts } from './crowd.mjs';
import { PageWatch } from './page-watch.mjs';
import { Server } from './server.mjs';

const CONTACTS = Number(process.env.TEST_CONTACTS ?? 100_000);
const CONVERSATIONS = 300;
const ROUNDS = 5;
/** The maximum median of a page, in milliseconds. */
const LIMIT = 300;

/**
 * The links on pages of the rail: the name of the opened page, the link, and an element of the opened page.
 */
const INSIDE = {
  Contacts: [['a contact', (page) => page.getByRole('link', { name: /^Customer/ }).first(), (page) => page.getByRole('tab', { name: 'Timeline' })], ...tabs('Profile')],
  Inbox: [['a conversation', (page) => page.getByRole('button', { name: /^Customer/ }).nth(2), (page) => page.getByRole('log', { name: 'Messages' }).getByText(/^Question/)]],
  Flows: [cell('a flow', 'Welcome', (page) => page.locator('.react-flow__node').first()), ...tabs('Simulate', 'Runs', 'Statistics', 'Versions', 'JSON')],
  Sequences: [cell('a sequence', 'First week', (page) => page.getByRole('button', { name: /Good morning/ })), ...tabs('Simulate', 'Enrollments')],
  Broadcasts: [cell('a broadcast', 'Opening hours', (page) => page.getByRole('heading', { name: 'Opening hours' }))],
  Webhooks: [cell('a webhook', 'https://hooks.invalid/crm', (page) => page.getByRole('row', { name: /contact.created/ }).first()), ...tabs('Settings', 'Statistics', 'Verify')],
};

function cell(name, text, shown) {
  return [name, (page) => page.getByRole('cell', { name: text, exact: true }).first(), shown];
}

function tabs(...names) {
  return names.map((name) => [`tab ${name}`, (page) => page.getByRole('tab', { name, exact: true }), (page) => page.getByRole('tab', { name, exact: true, selected: true })]);
}

/** Rows of pages that show them at once. */
const ROWS = {
  Contacts: /Customer/,
  Segments: /Everyone/,
  Flows: /Welcome/,
  Sequences: /First week/,
  Broadcasts: /Opening hours/,
  Channels: /Chat on the website/,
  Webhooks: /hooks\.invalid/,
  Tags: /vip/,
  'Custom fields': /Plan/,
  Secrets: /CRM_TOKEN/,
};

const server = await Server.start({ TIDINGS__LIMITS__PERSON: '1000000', TIDINGS__LIMITS__PLANS__STARTER: '1000000' });
const browser = await launch();
const measured = new Map();
try {
  const seconds = await importContacts(server, CONTACTS);
  console.log(`${CONTACTS} contacts imported in ${seconds.toFixed(1)} s`);
  await createObjects(server, CONVERSATIONS);
  const { page, faults } = await visitor(browser, server.origin);
  const watch = await PageWatch.of(page);
  await signIn(page, server.made);
  await page.getByRole('link', { name: 'Contacts', exact: true }).waitFor();
  for (let round = 0; round < ROUNDS; round += 1) await walk(page, watch);
  const slow = report();
  console.log(slow.length > 0 ? `above ${LIMIT} ms: ${slow.join(', ')}` : `every page is within ${LIMIT} ms`);
  if (faults.length > 0) throw new Error(faults.join('\n'));
} finally {
  await browser.close();
  await server.stop();
}

/** Visits all pages of the rail, the pages opened from their rows, and the settings. */
async function walk(page, watch) {
  const rail = page.locator('.mantine-AppShell-navbar');
  const [home, ...names] = await namesIn(rail);
  for (const name of [...names.filter((it) => it !== 'Settings'), home]) {
    await visit(name, page, watch, linkOf(rail, name));
    for (const [inside, link, shown] of INSIDE[name] ?? []) {
      record(`${name}, ${inside}`, await watch.change(link(page), () => shown(page).waitFor()));
    }
  }
  record('Settings', await watch.change(linkOf(rail, 'Settings'), () => page.getByRole('heading', { name: 'Workspace', level: 1 }).waitFor()));
  for (const name of (await namesIn(rail)).filter((it) => it !== 'Back')) {
    await visit(name, page, watch, linkOf(rail, name));
  }
  await watch.change(linkOf(rail, 'Back'), () => linkOf(rail, 'Settings').waitFor());
}

/** The names of the links in the rail. */
function namesIn(rail) {
  return rail.getByRole('link').evaluateAll((links) => links.map((it) => it.querySelector('span')?.textContent ?? ''));
}

/** The link with this name. The inbox link also contains a count. */
function linkOf(rail, name) {
  return rail.locator('a').filter({ has: rail.page().getByText(name, { exact: true }) });
}

/** Opens a page of the rail. */
async function visit(name, page, watch, link) {
  const heading = page.getByRole('heading', { name, level: 1, exact: true });
  const row = ROWS[name] && page.getByRole('row', { name: ROWS[name] }).first();
  record(name, await watch.change(link, () => Promise.all([heading.waitFor(), row?.waitFor()])));
}

function record(name, { time, requests }) {
  measured.set(name, [...(measured.get(name) ?? []), { time, requests }]);
}

/** Prints the measurements and returns the pages above the limit. */
function report() {
  const slow = [];
  console.log('page'.padEnd(32), 'median', ' first', '   max', 'requests');
  for (const [name, all] of measured) {
    const times = all.map(({ time }) => time).toSorted((one, other) => one - other);
    const [median, max] = [times[Math.floor(times.length / 2)], times.at(-1)];
    const figures = [median, all[0].time, max].map((it) => it.toFixed(0).padStart(6));
    console.log(name.padEnd(32), ...figures, `${all.at(-1).requests}`.padStart(8));
    if (median > LIMIT) slow.push(name);
  }
  return slow;
}
