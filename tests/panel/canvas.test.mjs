// The canvas of a flow: readable with many steps, drawn in both schemes, and every change can be undone by keyboard.
// A flow with a branch and a loop is built by keyboard alone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, rest, signIn, visitor } from './browser.mjs';
import { Hands } from './hands.mjs';
import { Server, until } from './server.mjs';

const STEPS = 62;
/** The least height of the title of a step on the canvas, in pixels. */
const READABLE = 12;
let server, browser, page, faults, large, asking;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  const say = (at) => ({ id: `say-${at}`, type: 'send_message', message: { type: 'text', text: `Message ${at}` } });
  const nodes = Array.from({ length: STEPS - 1 }, (_, at) => ({ ...say(at), next: at < STEPS - 2 ? `say-${at + 1}` : 'end' }));
  large = await post('flows', { name: 'Large', definition: { start: 'say-0', nodes: [...nodes, { id: 'end', type: 'end' }] } });
  const ask = { id: 'ask', type: 'ask', message: { type: 'text', text: 'Which colour?' }, expect: 'select', options: ['Red', 'Blue'], save_to: 'vars.colour', timeout: 'P1D', next: 'end', on_timeout: 'end', on_invalid: 'end' };
  const triggers = [{ type: 'keyword', keywords: ['colour'] }];
  asking = await post('flows', { name: 'Colours', definition: { triggers, start: 'ask', nodes: [ask, { id: 'end', type: 'end' }] } });
  ({ page, faults } = await visitor(browser, server.origin));
  await signIn(page, server.made);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const post = (path, body) => server.done('POST', `/api/v1/${path}`, { token: server.made.key, body });
const button = (name) => page.getByRole('button', { name, exact: true });
const card = (id) => page.locator(`[data-card="${id}"]`);
const isInside = (inner, outer) => inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width && inner.y + inner.height <= outer.y + outer.height;

async function open(flow, tab = '') {
  await page.goto(`/flows/${flow.id}${tab}`);
  await page.locator('.react-flow__node').first().waitFor();
  await rest(page);
}

test('draws the overview and the dots in the colours of each scheme', async () => {
  await open(large);
  const colours = [];
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    const map = page.locator('.react-flow__minimap');
    colours.push(await map.evaluate((it) => getComputedStyle(it).backgroundColor));
    assert.ok(await page.locator('.react-flow__background').first().evaluate((it) => it.getBoundingClientRect().width > 500));
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  assert.notEqual(colours[0], colours[1]);
  for (const colour of colours) assert.doesNotMatch(colour, /^rgba?\(0, 0, 0/);
});

test('fits a flow of 62 steps to the window at a readable size', async () => {
  await open(large);
  await button('Fit the window').press('Enter');
  const seen = page.locator('.react-flow__node').first();
  await until('the canvas stops moving', async () => {
    const before = await seen.boundingBox();
    await page.waitForTimeout(200);
    return JSON.stringify(before) === JSON.stringify(await seen.boundingBox());
  });
  const texts = await page.locator('.react-flow__node').getByText(/^Send message$/).evaluateAll((all) => all.map((it) => it.getBoundingClientRect().height));
  assert.ok(Math.min(...texts) >= READABLE, `a title is ${Math.min(...texts)} px high`);
});

test('Undo restores a deleted step', async () => {
  await open(large);
  await card('say-0').press('Enter');
  await card('say-0').press('Delete');
  await card('say-0').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await card('say-0').waitFor();
  await page.getByText('Draft saved').waitFor();
});

test('a simulation fits the flow to the window, and shows the step where it waits', async () => {
  await open(asking, '?tab=simulate');
  await page.getByPlaceholder(/^Write as /).fill('colour');
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText('Which colour?').waitFor();
  const pane = await page.locator('.react-flow').boundingBox();
  await until('the step is visible', async () => isInside(await card('ask').boundingBox(), pane));
});

test('a read-only canvas fits the flow again if the window becomes narrower', async () => {
  await open(asking, '?tab=simulate');
  await page.setViewportSize({ width: 390, height: 844 });
  await until('each card is visible', async () => {
    const pane = await page.locator('.react-flow').boundingBox();
    const cards = await page.locator('[data-card]').all();
    const boxes = await Promise.all(cards.map((it) => it.boundingBox()));
    return boxes.length > 1 && boxes.every((it) => isInside(it, pane));
  });
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('builds a flow with a loop by keyboard only', async () => {
  const hands = new Hands(page);
  const focusOn = (field) => field.and(page.locator(':focus')).waitFor();
  const field = (name) => page.getByRole('textbox', { name, exact: true });
  const exit = (name) => page.getByRole('region', { name: 'Next steps' }).getByRole('combobox', { name, exact: true });
  /** Adds a step with the plus button of an exit above the form. */
  const add = async (plus, name) => {
    await hands.tabTo(button(plus), 'Shift+Tab');
    await hands.press('Enter');
    await hands.menuItem(name);
  };
  await hands.task('flow by keyboard', { limit: 0 }, async () => {
    await page.goto('/flows?create=true');
    await focusOn(page.getByRole('dialog').getByLabel('Name'));
    await hands.type('By keyboard');
    await hands.press('Enter');
    await card('end').waitFor();
    await page.reload();
    await card('end').waitFor();
    await rest(page);
    await hands.press('Tab', 'Enter');
    await hands.tabTo(card('@start'));
    await hands.press('Enter');
    await add('Insert a step after “Start”', 'Ask');
    await focusOn(field('Question'));
    await hands.type('Which colour?');
    await add('Insert a step after “Ask”, exit “answer”', 'Branch');
    await focusOn(field('Value'));
    await hands.type('Blue');
    await add('Add a step after “Branch”, exit “Blue”', 'Send message');
    await focusOn(field('Text'));
    await hands.type('Blue it is.');
    await hands.tabTo(exit('next'));
    await hands.option(/^End: /);
    await hands.tabTo(card('send-message'), 'Shift+Tab');
    await hands.press('ArrowUp');
    await focusOn(card('branch'));
    await hands.tabTo(exit('otherwise'));
    await hands.option(/^Ask: /);
  });
  const id = new URL(page.url()).pathname.split('/')[2];
  const draft = async () => (await server.done('GET', `/api/v1/flows/${id}`, { token: server.made.key })).definition;
  const node = ({ nodes }, of) => nodes.find((it) => it.id === of);
  await until('the loop is saved', async () => node(await draft(), 'branch')?.otherwise === 'ask');
  const definition = await draft();
  const { branches } = node(definition, 'branch');
  const found = [definition.start, node(definition, 'ask').next, ...branches.map((it) => it.next), node(definition, 'send-message').next];
  assert.deepEqual(found, ['ask', 'branch', 'send-message', 'end']);
  const { valid, findings } = await post('flows/validate', { definition, flow_id: id });
  assert.ok(valid, JSON.stringify(findings));
});

test('adds a file to the text of a step, which becomes the caption', async () => {
  await open(large, '?node=say-0');
  const chooser = page.waitForEvent('filechooser');
  await button('Add file').click();
  await (await chooser).setFiles({ name: 'prices.txt', mimeType: 'text/plain', buffer: Buffer.from('A bell costs 12') });
  await page.getByRole('button', { name: 'Remove prices.txt' }).waitFor();
  const message = async () => {
    const { definition } = await server.done('GET', `/api/v1/flows/${large.id}`, { token: server.made.key });
    return definition.nodes.find(({ id }) => id === 'say-0').message;
  };
  await until('the draft has the file', async () => (await message()).attachments?.length === 1);
  const { type, text, attachments } = await message();
  assert.deepEqual([type, text, attachments[0].name], ['file', 'Message 0', 'prices.txt']);
});

test('the menu after a question offers its answer and options', async () => {
  await open(asking);
  await page.getByRole('button', { name: /^Insert a step after “Ask”, exit “answer”/ }).or(page.getByRole('button', { name: /^(Add|Insert) a step after “Ask/ })).first().press('Enter');
  await page.getByRole('menuitem', { name: 'Branch', exact: true }).press('Enter');
  const branches = async () => {
    const { definition } = await server.done('GET', `/api/v1/flows/${asking.id}`, { token: server.made.key });
    return definition.nodes.find(({ type }) => type === 'branch')?.branches.map(({ when }) => when.value);
  };
  await until('the draft has both options', async () => `${await branches()}` === 'Red,Blue');
  assert.deepEqual(faults, []);
});
