import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { emptyLists, serve, show } from '../settings/testing';
import { Comparison } from './comparison';
import { page } from './testing';

const say = (id: string, text: string, next: string) => ({
  id,
  type: 'send_message',
  message: { type: 'text', text },
  next,
});
const ask = (timeout: string, next: string) => ({
  id: 'n4',
  type: 'ask',
  message: { type: 'text', text: 'Your name?' },
  timeout,
  next,
});
const recent = (value: string) => ({ when: { field: 'last_seen_at', op: 'within_last', value }, next: 'n4' });
const branch = (...branches: object[]) => ({ id: 'n5', type: 'branch', branches, otherwise: 'n4' });
const end = { id: 'n9', type: 'end' };

/** Shows the changes from one definition to another. Returns the list of changes of a node or of the rest. */
async function compare(was: object, is: object) {
  serve({
    ...emptyLists('flows', 'sequences'),
    'GET /api/v1/tags': () => page({ id: 'tag_1', name: 'vip' }),
    'GET /api/v1/channels': () => page({ id: 'chan_1', name: 'Bot' }),
  });
  const version = { number: 1, definition: was, created_at: '2026-01-01T00:00:00.000Z', is_current: true };
  show(
    <Comparison
      versions={[version as never]}
      draft={is}
      unpublished
      version={undefined}
      against={undefined}
      show={() => undefined}
    />,
  );
  return screen.findByRole('region', { name: /^(Changes|Änderungen)$/ });
}

/** The texts of a change: the attribute, the value before and the value after. */
function change(region: HTMLElement, attribute: string) {
  const term = within(region).getByText(attribute, { selector: 'dt' });
  const [was, is] = term.parentElement?.querySelectorAll('dd > *') ?? [];
  return [was?.textContent, is?.textContent];
}

test('shows durations and next nodes in words', async () => {
  const region = await compare(
    { start: 'n4', nodes: [ask('PT1H', 'n9'), end] },
    { start: 'n4', nodes: [ask('P1DT12H', 'n1'), say('n1', 'Hello', 'n9'), end] },
  );
  expect(change(region, 'Maximum wait')).toEqual(['1 hour', '1 day 12 hours']);
  expect(change(region, 'Next steps › answer')).toEqual(['End: the run is completed', 'Send message: Hello']);
  expect(region.textContent).toContain('Added Send message Hello');
  expect(region.textContent).not.toMatch(/PT1H|n1|n4|n9/);
});

test('shows durations and nodes in the language of the panel', () =>
  inLanguage('de', async () => {
    const region = await compare(
      { nodes: [ask('PT1H', 'n9'), end] },
      { nodes: [ask('PT2H', 'n9'), end], settings: { expires_after: 'P7D' } },
    );
    expect(change(region, 'Höchstens warten')).toEqual(['1 Stunde', '2 Stunden']);
    expect(region.textContent).toContain('nicht gesetzt7 Tage');
  }));

test('the ID distinguishes nodes with the same texts', async () => {
  const region = await compare(
    { nodes: [say('n1', 'Hello', 'n9'), end] },
    { nodes: [say('n2', 'Hello', 'n9'), end] },
  );
  expect(region.textContent).toContain('Added Send message Hello n2');
  expect(region.textContent).toContain('Removed Send message Hello n1');
});

test('shows branches and their conditions in words', async () => {
  const vip = { when: { field: 'tags', op: 'has', value: 'tag_1' }, next: 'n9' };
  const before = { nodes: [branch(recent('P7D')), ask('PT1H', 'n9'), end] };
  const region = await compare(before, { nodes: [branch(recent('P7D'), vip), ask('PT1H', 'n9'), end] });
  await within(region).findByText(/vip/, { selector: 'ins' });
  const [was, is] = change(region, 'Branches');
  expect(was).toMatch(/7 days → Ask: Your name\?$/);
  expect(is).toMatch(/Your name\?\n.*vip.* → End: the run is completed$/);
});

test('shows the duration of a condition in words', async () => {
  const nodes = [ask('PT1H', 'n9'), end];
  const region = await compare(
    { nodes: [branch(recent('P7D')), ...nodes] },
    { nodes: [branch(recent('PT30M')), ...nodes] },
  );
  expect(change(region, 'Branch 1 › Condition › Value')).toEqual(['7 days', '30 minutes']);
});

const keyword = (match: string) => ({
  type: 'keyword',
  keywords: ['hi', 'hello'],
  match,
  channel_ids: ['chan_1'],
});
const paid = {
  type: 'custom_event',
  name: 'order.paid',
  filter: { field: 'tags', op: 'has', value: 'tag_1' },
};

test('a list of triggers has a line in words for each trigger', async () => {
  const region = await compare({ nodes: [end] }, { triggers: [keyword('contains'), paid], nodes: [end] });
  await within(region).findByText(/Bot/, { selector: 'ins' });
  expect(change(region, 'Triggers')).toEqual([
    'not set',
    'Keyword: “hi”, “hello” · The message contains the keyword · Bot\nCustom event: order.paid · tags include vip',
  ]);
});

test('words of the API and lists of texts have the texts of the forms, in German', () =>
  inLanguage('de', async () => {
    const definition = (match: string, ...days: string[]) => ({
      triggers: [keyword(match)],
      nodes: [{ id: 'n1', type: 'delay', for: 'PT1H', window: { days }, next: 'n9' }, end],
      settings: { reentry: match === 'exact' ? 'skip' : 'restart' },
    });
    const region = await compare(definition('exact', 'mon'), definition('contains', 'mon', 'tue'));
    expect(region.textContent).toContain('Mo und Di');
    expect(region.textContent).not.toMatch(/exact|contains|skip|restart|"mon"/);
  }));

test('the time of a delay is in words', async () => {
  const until = (time: string) => ({ id: 'n1', type: 'delay', until: time, next: 'n9' });
  const region = await compare(
    { nodes: [until('2026-01-02T09:00'), end] },
    { nodes: [until('{{ vars.at }}'), end] },
  );
  expect(region.textContent).toContain('2 Jan 2026, 09:00{{ vars.at }}');
});
