import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { emptyLists, serve, show } from '../settings/testing';
import RunsPart from './runs';
import { type FlowSearch, readFlowSearch } from './search';
import { compact, elsewhere, lasting, type NodeStatistics, percent, sharesOf, talliesOf } from './statistics';
import StatisticsPart from './statistics-part';
import { flow, page } from './testing';

const node = (id: string, but: Partial<NodeStatistics> = {}): NodeStatistics => ({
  id,
  entered: 0,
  left: {},
  failed: 0,
  waiting: 0,
  median_seconds: null,
  ...but,
});
const GREET = node('greet', {
  entered: 12,
  left: { next: 9, on_timeout: 1 },
  failed: 1,
  waiting: 1,
  median_seconds: 90,
});
const OLD = node('gone', { entered: 3 });

test('shows the share of each exit on its edge, and the results of runs on cards', () => {
  const { figures, weights } = sharesOf([GREET, node('idle', { left: { next: 0 } })]);
  expect([...figures]).toEqual([
    ['greet>next', '90% · 9'],
    ['greet>on_timeout', '10% · 1'],
  ]);
  expect(weights.get('greet>next')).toBe(0.9);
  const definition = flow().definition as never;
  expect(talliesOf(definition, [GREET, OLD]).get('end')).toEqual({
    entered: 0,
    failed: 0,
    waiting: 0,
    median: null,
  });
  expect(elsewhere(definition, [GREET, OLD]).map((it) => it.id)).toEqual(['gone']);
});

test('shortens shares and durations, and never rounds a partial share to none or all', () => {
  expect([0, 0.004, 0.996, 0.5, 1].map(percent)).toEqual(['0%', '< 1%', '> 99%', '50%', '100%']);
  expect([0, 1.26, 12.4, 60, 90, 3_600, 93_600, 864_000].map(lasting)).toEqual([
    '0 s',
    '1.3 s',
    '12 s',
    '1 min',
    '1 min 30 s',
    '1 h',
    '1 d 2 h',
    '10 d',
  ]);
  expect([999, 1_234, 12_345].map(compact)).toEqual(['999', '1,234', '12.3K']);
});

test('shows statistics and runs in German', async () => {
  await inLanguage('de', async () => {
    expect(percent(0.5)).toMatch(/^50\s%$/);
    expect(compact(1_234)).toBe('1.234');
    expect([1.26, 93_600].map(lasting)).toEqual(['1,3 s', '1 T. 2 Std.']);
    serving([GREET, OLD]);
    part();
    expect(await screen.findByText('Knoten einer anderen Version')).toBeTruthy();
    expect(
      screen.getByRole('button', { name: '1 jetzt an „Nachricht senden“: Läufe anzeigen' }),
    ).toBeTruthy();
    expect(
      screen.getByText(/^1 Knoten ist nicht in dieser Version\. Wählen Sie eine andere Version/),
    ).toBeTruthy();
  });
});

test('accepts only the offered periods in the address', () => {
  expect(readFlowSearch({ tab: 'statistics', last: 'P7D', version: 2 })).toMatchObject({
    tab: 'statistics',
    last: 'P7D',
    version: 2,
  });
  expect(readFlowSearch({ last: 'P5Y' }).last).toBeUndefined();
});

const PUBLISHED = flow({ version_published: 2, status: 'active' });
const FLOW = '/api/v1/flows/flow_1';
const empty = emptyLists('flows', 'sequences', 'tags');

function part(search = {}, told = vi.fn(), read = PUBLISHED) {
  show(
    <StatisticsPart
      read={{ flow: read, etag: '"1"' }}
      search={search}
      show={told}
      typed={undefined}
      setTyped={() => undefined}
    />,
    { role: 'viewer' },
  );
  return told;
}

function serving(nodes: NodeStatistics[]) {
  const asked: string[] = [];
  serve({
    ...empty,
    [`GET ${FLOW}/versions`]: () =>
      page({ number: 2, definition: PUBLISHED.definition, created_at: PUBLISHED.created_at }),
    [`GET ${FLOW}/statistics`]: (_, request) => {
      asked.push(new URL(request.url).search);
      return { flow_id: 'flow_1', as_of: PUBLISHED.created_at, from: null, to: null, version: null, nodes };
    },
  });
  return asked;
}

test('the table shows the results of runs at each node, also of other versions', async () => {
  const asked = serving([GREET, OLD]);
  const told = part();
  const table = await screen.findByRole('table');
  expect(asked).toEqual(['']);
  const rows = within(table).getAllByRole('row');
  expect(rows[1]?.textContent).toMatch(/^Send message Hello\s+12/);
  expect(rows[1]?.textContent).toContain('next 9 90%');
  expect(rows[1]?.textContent).toMatch(/111 min 30 s$/);
  expect(rows[2]?.textContent).toMatch(/^Node of another version\s+gone3/);
  await userEvent.click(screen.getByRole('button', { name: '1 now at Send message: show the runs' }));
  expect(told).toHaveBeenCalledWith(
    expect.objectContaining({ tab: 'runs', status: undefined, node: 'greet' }),
  );
});

test('requests a period and a version, and reports an empty result', async () => {
  const asked = serving([]);
  part({ last: 'P7D', version: 2 });
  await screen.findByText('No runs at any node');
  expect(asked[0]).toMatch(/version=2&from=/);
  expect(screen.getByText('Choose a longer period or another version, or start a run.')).toBeTruthy();
});

test('requests runs by their current node, and all runs without one', async () => {
  const asked: (string | null)[][] = [];
  serve({
    'GET /api/v1/flow-runs': (_, request) => {
      const { searchParams } = new URL(request.url);
      asked.push(['flow_id', 'status', 'node'].map((it) => searchParams.get(it)));
      return page();
    },
  });
  const told = vi.fn();
  const runs = (search: FlowSearch) => (
    <RunsPart
      read={{ flow: PUBLISHED, etag: '"1"' }}
      search={search}
      show={told}
      typed={undefined}
      setTyped={() => undefined}
    />
  );
  show(runs({ tab: 'runs', status: 'waiting', node: 'gone' }));
  await screen.findByText('No run is waiting at “gone”');
  expect(asked).toEqual([['flow_1', 'waiting', 'gone']]);
  const chosen = screen.getByRole('combobox', { name: 'At node' });
  expect((chosen as HTMLInputElement).value).toBe('gone');
  await userEvent.click(chosen);
  await userEvent.click(await screen.findByRole('option', { name: 'Send message: Hello' }));
  expect(told).toHaveBeenCalledWith({ node: 'greet', run: undefined });
});

test('reports a flow that was never published', async () => {
  serving([]);
  part({}, vi.fn(), flow());
  await screen.findByText('No version published yet');
});
