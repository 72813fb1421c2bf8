// Measures the panel with 100,000 contacts and with a flow of 200 nodes that is dragged. Prints the numbers
// and never fails. TEST_TIDINGS names the program, which should be an optimised build.
import { launch, rest, signIn, visitor } from './browser.mjs';
import { Server, until } from './server.mjs';

const CONTACTS = 100_000;
/** The maximum number of rows in one request. */
const ROWS = 50_000;
const NODES = 200;
const NAMES = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Alan', 'Radia', 'Donald', 'Frances', 'Ken', 'Margaret'];

const server = await Server.start();
const browser = await launch();
try {
  const { key } = server.made;
  await fill(key);
  const { page } = await visitor(browser, server.origin);
  await signIn(page, server.made);
  await contacts(page, key);
  await editor(page, key);
} finally {
  await browser.close();
  await server.stop();
}

/** Imports the contacts from tables. */
async function fill(token) {
  await server.done('POST', '/api/v1/tags', { token, body: { name: 'vip' } });
  const began = performance.now();
  for (let from = 0; from < CONTACTS; from += ROWS) {
    const rows = Array.from({ length: ROWS }, (_, at) => {
      const number = from + at;
      return `c${number},${NAMES[number % NAMES.length]},Example ${number % 997},person${number}@example.com`;
    });
    const answer = await fetch(`${server.origin}/api/v1/contacts/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
      body: `external_id,first_name,last_name,email\n${rows.join('\n')}\n`,
    });
    const { id } = await answer.json();
    const path = `/api/v1/contacts/imports/${id}`;
    await until('the table is imported', async () => (await server.done('GET', path, { token })).status === 'completed', 600);
  }
  console.log(`${CONTACTS} contacts imported in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

/** Measures the page of contacts with several filters. */
async function contacts(page, token) {
  const condition = { field: 'first_name', op: 'eq', value: 'Radia' };
  const segment = await server.done('POST', '/api/v1/segments', { token, body: { name: 'Radias', condition } });
  const rare = { all: [{ field: 'email', op: 'contains', value: '9999@' }, { field: 'last_name', op: 'exists', value: true }] };
  const searches = {
    all: '',
    'by name': '&sort=name',
    'last message first': '&sort=-last_message_at',
    'a frequent word': '&q=grace',
    'a word of one contact': '&q=person77777@example.com',
    'an unknown word': '&q=nobody-at-all',
    'a condition': `&filter=${encodeURIComponent(JSON.stringify(condition))}`,
    'a condition that few match': `&filter=${encodeURIComponent(JSON.stringify(rare))}`,
    'a segment': `&segment=${segment.id}`,
    deleted: '&deleted=only',
  };
  for (const [name, search] of Object.entries(searches)) {
    const slowest = await listening(page, async () => {
      await page.goto(`/contacts?ws=${server.made.workspace_id}${search}`);
      await rest(page);
    });
    console.log(`contacts, ${name}: ${slowest}`);
  }
  await page.goto(`/contacts?ws=${server.made.workspace_id}`);
  await rest(page);
  const scrolled = await listening(page, async () => {
    await page.mouse.move(700, 600);
    for (let turn = 0; turn < 200; turn += 1) await page.mouse.wheel(0, 2_000);
  });
  console.log(`contacts, 400 000 px down: ${scrolled}`);
  const opened = await listening(page, async () => {
    await page.goto(`/contacts?ws=${server.made.workspace_id}`);
    await page.getByRole('link', { name: /Margaret/ }).first().click();
    await page.getByRole('tab', { name: 'Timeline' }).waitFor();
    await rest(page);
  });
  console.log(`a contact: ${opened}`);
}

/** The slowest response until all requests are done, except the stream, which never ends. */
async function listening(page, act) {
  const [waiting, answers] = [new Set(), []];
  const isOf = (request) => {
    const path = new URL(request.url()).pathname;
    return /^\/(api|platform|auth)\//.test(path) && !path.endsWith('/stream');
  };
  const asked = (request) => isOf(request) && waiting.add(request);
  const ended = (request) => {
    if (!waiting.delete(request)) return;
    const { requestStart, responseEnd } = request.timing();
    answers.push([Math.round(responseEnd - requestStart), new URL(request.url()).pathname]);
  };
  const events = { request: asked, requestfinished: ended, requestfailed: ended };
  for (const [event, listener] of Object.entries(events)) page.on(event, listener);
  await act();
  await until('all requests are done', () => waiting.size === 0, 60);
  for (const [event, listener] of Object.entries(events)) page.off(event, listener);
  const [time, path] = answers.sort(([one], [other]) => other - one)[0] ?? [0, 'nothing'];
  return `${answers.length} answers, the slowest ${time} ms (${path})`;
}

/** The frames per second while a node of a large flow, and then the canvas, is dragged. */
async function editor(page, token) {
  const nodes = Array.from({ length: NODES - 1 }, (_, at) => ({
    id: `say_${at}`,
    type: 'send_message',
    message: { type: 'text', text: `Message ${at}` },
    next: at < NODES - 2 ? `say_${at + 1}` : 'end',
  }));
  const definition = { start: 'say_0', nodes: [...nodes, { id: 'end', type: 'end' }] };
  const flow = await server.done('POST', '/api/v1/flows', { token, body: { name: 'Large', definition } });
  await page.goto(`/flows/${flow.id}?ws=${server.made.workspace_id}`);
  await page.locator('.react-flow__node').first().waitFor();
  await rest(page);
  const shown = await page.locator('.react-flow__node').count();
  for (const [what, selector] of [['a node', '.react-flow__node >> nth=1'], ['the canvas', '.react-flow__pane']]) {
    const box = await page.locator(selector).boundingBox();
    const [x, y] = what === 'a node' ? [box.x + box.width / 2, box.y + box.height / 2] : [box.x + 30, box.y + box.height - 30];
    console.log(`${what} dragged, ${NODES} nodes (${shown} drawn): ${await frames(page, x, y)}`);
  }
}

async function frames(page, x, y) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate(() => {
    window.frames_ = [];
    const count = (at) => {
      window.frames_.push(at);
      window.counting = requestAnimationFrame(count);
    };
    window.counting = requestAnimationFrame(count);
  });
  const end = performance.now() + 3_000;
  for (let turn = 0; performance.now() < end; turn += 1) await page.mouse.move(x + 60 * Math.sin(turn / 20), y - 60 * Math.sin(turn / 33));
  const drawn = await page.evaluate(() => {
    cancelAnimationFrame(window.counting);
    return window.frames_;
  });
  await page.mouse.up();
  const gaps = drawn.slice(1).map((at, index) => at - drawn[index]).sort((one, other) => one - other);
  const rate = (drawn.length - 1) / ((drawn.at(-1) - drawn[0]) / 1000);
  return `${rate.toFixed(1)} frames per second, 95 % of the gaps within ${gaps[Math.floor(gaps.length * 0.95)].toFixed(0)} ms`;
}
