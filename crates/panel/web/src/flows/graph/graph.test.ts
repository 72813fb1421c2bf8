import { expect, test } from 'vitest';
import { inLanguage } from '../../i18n/testing';
import { asDefinition, type Definition } from '../definition';
import { arranged } from './arrange';
import { copied, nodesIn, pasted } from './clipboard';
import { conditionInWords } from './conditions';
import { addNode, addTrigger, arrange, connect, moved, nodeOf, openExit, remove, rename } from './edit';
import { exitInWords, exitsOf } from './exits';
import { counted, located, noteAt } from './findings';
import { API_START, edgeId, graphOf, shapeOf, triggerId } from './graph';
import { begin, record, redo, undo } from './history';
import { placed } from './layout';
import { litBy } from './lit';
import { spanInWords, windowInWords } from './phrases';
import { spread } from './spread';
import { summaryOf, titleOf } from './summary';
import { stepped } from './walk';

const FLOW: Definition = {
  triggers: [{ type: 'keyword', keywords: ['hi'] }],
  start: 'greet',
  nodes: [
    { id: 'greet', type: 'send_message', message: { type: 'text', text: '\n Hi there\nagain' }, next: 'ask' },
    {
      id: 'ask',
      type: 'ask',
      message: { type: 'text', text: 'Plan?' },
      next: 'plan',
      on_timeout: 'done',
    },
    {
      id: 'plan',
      type: 'branch',
      branches: [{ when: { field: 'custom_fields.plan', op: 'eq', value: 'gold' }, next: 'tag' }],
      otherwise: 'done',
    },
    { id: 'tag', type: 'add_tag', tag: 'vip', next: 'done' },
    { id: 'done', type: 'end' },
  ],
};
const exits = (definition: Definition, id: string) => {
  const node = nodeOf(definition, id);
  return node && exitsOf(node).map((it) => [it.name, it.to]);
};

test('the graph has triggers, nodes and an edge for each exit that leads somewhere', () => {
  const { vertices, edges } = graphOf(FLOW);
  expect(vertices.map((it) => it.id)).toEqual(['@trigger/0', 'greet', 'ask', 'plan', 'tag', 'done']);
  expect(edges.map((it) => `${it.id} ${it.to}`)).toEqual([
    '@trigger/0>next greet',
    'greet>next ask',
    'ask>next plan',
    'ask>on_timeout done',
    'plan>branches/0 tag',
    'plan>otherwise done',
    'tag>next done',
  ]);
  expect(graphOf({ nodes: [] }).vertices.map((it) => it.id)).toEqual([API_START]);
});

test('ignores invalid nodes and members of a draft', () => {
  expect(asDefinition({ nodes: [1, { id: 'a', type: 'end' }, { id: 'b' }], triggers: 'none' })).toEqual({
    nodes: [{ id: 'a', type: 'end' }],
    triggers: [],
  });
  expect(asDefinition(null).nodes).toEqual([]);
  const odd = asDefinition({
    nodes: [
      { id: 'x', type: 'unheard' },
      { id: 'y', type: 'branch' },
    ],
  });
  expect(graphOf(odd).vertices.map((it) => it.exits.length)).toEqual([1, 0, 1]);
});

test('arranges the graph downwards without overlaps', () => {
  const graph = graphOf(FLOW);
  const { at } = arranged(graph);
  const y = (id: string) => at[id]?.y ?? Number.NaN;
  expect(y('greet')).toBeLessThan(y('ask'));
  expect(y('plan')).toBeLessThan(y('tag'));
  for (const a of graph.vertices)
    for (const b of graph.vertices) {
      if (a === b) continue;
      const [p, q] = [at[a.id], at[b.id]];
      if (!p || !q) throw new Error('not placed');
      const apart =
        p.x + a.width <= q.x || q.x + b.width <= p.x || p.y + a.height <= q.y || q.y + b.height <= p.y;
      expect(apart).toBe(true);
    }
});

test('keeps moved nodes, and places new ones next to their neighbours', () => {
  const graph = graphOf(FLOW);
  const all = arranged(graph).at;
  const kept = { plan: { x: 1000, y: 1000 } };
  const at = placed(graph, kept, all);
  expect(at.plan).toEqual(kept.plan);
  expect((at.tag?.y ?? 0) - 1000).toBe((all.tag?.y ?? 0) - (all.plan?.y ?? 0));
  expect(placed(graph, {}, all)).toBe(all);
});

test('places nodes below their ports, and routes long and backward edges around them', () => {
  const way = (id: string, next: string): Definition['nodes'][number] => ({
    id,
    type: 'note',
    text: '',
    next,
  });
  const flow: Definition = {
    start: 'split',
    nodes: [
      {
        id: 'split',
        type: 'split',
        arms: [
          { weight: 1, next: 'a' },
          { weight: 1, next: 'b' },
          { weight: 1, next: 'end' },
        ],
      },
      way('b', 'end'),
      way('a', 'split'),
      { id: 'end', type: 'end' },
    ],
  };
  const { at, routes } = arranged(graphOf(flow));
  expect(at.a?.x).toBeLessThan(at.b?.x ?? 0);
  expect(routes['a>next']).toHaveProperty('aside');
  expect(routes['split>arms/2']).toMatchObject({ down: [{ top: at.b?.y }] });
  const chain = Array.from({ length: 400 }, (_, step) => [
    {
      id: `n${step}`,
      type: 'ask',
      message: { type: 'text', text: '' },
      next: `n${step + 1}`,
      on_invalid: 'n400',
    },
  ]).flat() as Definition['nodes'];
  const long = { start: 'n0', nodes: [...chain, { id: 'n400', type: 'end' as const }] };
  // The processor time in milliseconds, because other programs can delay the test.
  const begun = process.cpuUsage();
  arranged(graphOf(long));
  expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(1_500);
});

test('places nodes as near to the wished positions as the distances allow', () => {
  expect(spread([0, 0], [0, 10])).toEqual([-5, 5]);
  expect(spread([0, 100], [0, 10])).toEqual([0, 100]);
  expect(spread([50, 0, 0], [0, 10, 10])[1]).toBeCloseTo(50 / 3);
});

test('texts do not change the shape', () => {
  const other = {
    ...FLOW,
    nodes: FLOW.nodes.map((it) => (it.id === 'tag' ? { ...it, tag: 'x' } : it)),
  } as Definition;
  expect(shapeOf(graphOf(other))).toBe(shapeOf(graphOf(FLOW)));
});

test('adds a node between two others', () => {
  const { definition, id } = addNode(FLOW, 'delay', { after: openExit(FLOW, 'greet') });
  expect(id).toBe('delay');
  expect(exits(definition, 'greet')).toEqual([['next', 'delay']]);
  expect(exits(definition, 'delay')).toEqual([['next', 'ask']]);
  expect(addNode({ nodes: [] }, 'end').definition.start).toBe('end');
  expect(addNode(definition, 'delay').id).toBe('delay-2');
});

test('connects the predecessors of a deleted node with its successor', () => {
  const definition = remove(FLOW, ['greet', 'plan']);
  expect(definition.start).toBe('ask');
  expect(exits(definition, 'ask')).toEqual([
    ['next', 'done'],
    ['on_timeout', 'done'],
    ['on_invalid', undefined],
  ]);
  expect(remove(addTrigger(FLOW, 'event').definition, [triggerId(0)]).triggers).toEqual([
    { type: 'event', event: 'contact.created' },
  ]);
});

test('connects and disconnects exits, also of lists, and connects all triggers to the start', () => {
  const definition = connect(connect(FLOW, 'plan', 'branches/0', 'done'), 'ask', 'on_timeout', undefined);
  expect(exits(definition, 'plan')?.[0]).toEqual(['branches/0', 'done']);
  expect(nodeOf(definition, 'ask')).not.toHaveProperty('on_timeout');
  expect(connect(FLOW, triggerId(0), 'next', 'ask').start).toBe('ask');
});

test('changes an ID in all places', () => {
  const scripted: Definition = {
    ...moved(FLOW, { done: { x: 1, y: 2 } }),
    scripts: [{ expect: { nodes: ['done'] }, http: [{ node_id: 'done' }] }],
  };
  const definition = rename(scripted, 'done', 'over');
  expect(JSON.stringify(definition)).not.toContain('"done"');
  expect(definition.layout).toEqual({ over: { x: 1, y: 2 } });
  expect(rename(FLOW, 'done', 'tag')).toBe(FLOW);
  expect(arrange(definition)).not.toHaveProperty('layout');
});

test('gives copies new IDs, and connects them like the originals', () => {
  const text = copied(FLOW, ['tag', 'plan']) ?? '';
  const { definition, ids } = pasted(FLOW, nodesIn(text));
  expect(ids).toEqual(['plan-2', 'tag-2']);
  expect(exits(definition, 'plan-2')).toEqual([
    ['branches/0', 'tag-2'],
    ['otherwise', 'done'],
  ]);
  expect(exits(pasted({ nodes: [] }, nodesIn(text)).definition, 'tag')).toEqual([['next', undefined]]);
  expect(nodesIn('no json')).toEqual([]);
  expect(nodesIn('{"id":"a","type":"nonsense"}')).toEqual([]);
});

test('undoes all letters of a field at once', () => {
  let it = begin('');
  for (const text of ['a', 'ab', 'abc']) it = record(it, text, 'name');
  it = record(it, 'abc!', 'other');
  expect([undo(it).present, undo(undo(it)).present, redo(undo(it)).present]).toEqual(['abc', '', 'abc!']);
  expect(undo(begin(1)).present).toBe(1);
});

test('groups findings by node, errors first', () => {
  const finding = (severity: 'error' | 'warning', pointer: string) => ({
    severity,
    pointer,
    code: 'x',
    message: 'wrong',
    hint: 'do this',
    node_path: [],
    did_you_mean: [],
  });
  const found = located(FLOW, [
    finding('warning', '/nodes/3/tag'),
    finding('error', '/triggers/0/keywords'),
    finding('error', '/settings'),
  ]);
  expect(found.map((it) => [it.vertex, it.field])).toEqual([
    ['@trigger/0', '/keywords'],
    [undefined, '/settings'],
    ['tag', '/tag'],
  ]);
  expect(counted(found).get('tag')).toEqual({ errors: 0, warnings: 1 });
  expect(noteAt(found.slice(2), '/tag', 'warning')).toBe('Wrong. Do this.');
  expect(noteAt(found, '/tag', 'error')).toBeUndefined();
  expect(noteAt(found, '/name', 'warning')).toBeUndefined();
});

test('ends each sentence of a finding once', () => {
  const told = (hint: string | null) => {
    const finding = {
      severity: 'warning' as const,
      code: 'unknown_name',
      pointer: '/nodes/3/tag',
      message: 'an older flow takes it.',
      hint,
      node_path: [],
      did_you_mean: [],
    };
    return noteAt(located(FLOW, [finding]), '/tag', 'warning');
  };
  expect(told('take another one')).toBe('An older flow takes it. Take another one.');
  expect(told('take another one.')).toBe('An older flow takes it. Take another one.');
  expect(told(null)).toBe('An older flow takes it.');
});

test('arrow keys move along edges and to neighbours', () => {
  const graph = graphOf(FLOW);
  const layout = arranged(graph).at;
  const go = (from: string | undefined, step: 'up' | 'down' | 'left' | 'right') =>
    stepped(graph, layout, from, step);
  expect(go(undefined, 'down')).toBe('@trigger/0');
  expect(go('@trigger/0', 'down')).toBe('greet');
  expect(go('tag', 'up')).toBe('plan');
  expect(go('done', 'down')).toBeUndefined();
});

test('highlights the nodes of a run and the exits that it took', () => {
  const lit = litBy(
    FLOW,
    [
      { node_id: 'greet', exit: 'next' },
      { node_id: 'ask', exit: null },
    ],
    'ask',
    0,
  );
  expect([...lit.edges]).toEqual([edgeId('greet', 'next'), '@trigger/0>next']);
  expect([...lit.nodes]).toEqual(['greet', 'ask', '@trigger/0']);
});

test('shows steps, conditions and exits in German', async () => {
  await inLanguage('de', () => {
    expect(FLOW.nodes.map((it) => summaryOf(it)).slice(2)).toEqual([
      'plan ist gold',
      'vip',
      'der Lauf ist abgeschlossen',
    ]);
    expect(titleOf({ id: 'a', type: 'add_tag' } as never)).toBe('Tag hinzufügen');
    expect(titleOf({ id: 'a', type: 'later' } as never)).toBe('later');
    expect(spanInWords('P1DT12H')).toBe('1 Tag 12 Stunden');
    expect(windowInWords({ days: ['sat', 'sun'] })).toBe('Sa, So');
    expect(conditionInWords({ all: [] })).toBe('immer');
    expect(
      conditionInWords({
        any: [
          { field: 'vars.age', op: 'between', value: [18, 30] },
          { field: 'created_at', op: 'within_last', value: 'P7D' },
        ],
      }),
    ).toBe('age liegt zwischen 18 und 30 oder created at liegt höchstens 7 Tage zurück');
    expect(exitInWords('next', 'ask')).toBe('Antwort');
    expect(exitInWords('branches/7', 'branch')).toBe('Zweig 8');
    expect(exitInWords('arms/0', 'split')).toBe('Zweig 1');
  });
});

test('describes each node in one line', () => {
  expect(FLOW.nodes.map((it) => summaryOf(it))).toEqual([
    'Hi there',
    'Plan?',
    'plan is gold',
    'vip',
    'the run is completed',
  ]);
  expect(spanInWords('P1DT12H')).toBe('1 day 12 hours');
  expect(spanInWords('P1M')).toBe('P1M');
  expect(windowInWords({ days: ['fri', 'mon', 'tue', 'wed', 'thu'], from: '09:00', to: '18:00' })).toBe(
    'Mon–Fri 09:00–18:00',
  );
  expect(
    conditionInWords({
      all: [
        { field: 'tags', op: 'has', value: 'vip' },
        { any: [{ field: 'vars.a', op: 'gt', value: 3 }, { not: { field: 'email', op: 'exists' } }] },
      ],
    }),
  ).toBe('tags include vip and (a > 3 or not email is set)');
});
