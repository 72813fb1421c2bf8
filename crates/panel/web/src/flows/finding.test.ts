import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { fromFaults, fromFindings, labelsOfDraft } from './finding';
import { placeOf } from './place';
import { flow } from './testing';

const { definition } = flow();
const LABELS = labelsOfDraft(definition, new Map());
const FINDING = {
  severity: 'error' as const,
  pointer: '/nodes/0/next',
  node_path: ['greet'],
  hint: null,
  did_you_mean: [],
};
const LOOP = {
  ...FINDING,
  code: 'cycle_without_wait',
  message: 'the flow loops without a wait: greet → gone → greet',
  params: { path: 'greet → gone → greet' },
};
const UNREACHABLE = {
  ...FINDING,
  code: 'unreachable_node',
  message: 'no path leads to the node greet',
  params: { name: 'greet' },
};
const UNVISITED = {
  ...FINDING,
  code: 'expectation_failed',
  message: 'script “Buy”: end was not visited; visited nodes: greet, gone; the simulation ended: x',
  params: { script: 'Buy', failure: 'node_not_visited', expected: 'end', found: 'greet, gone' },
};
const messages = () => fromFindings([LOOP, UNREACHABLE], LABELS).map((it) => it.message);

test('messages name nodes as on the canvas', () => {
  expect(messages()).toEqual([
    'The flow loops without a wait: Send message: Hello → gone → Send message: Hello.',
    'No path leads to this node.',
  ]);
  expect(fromFindings([UNVISITED], LABELS)[0]?.message).toBe(
    'Script “Buy”: “End: the run is completed” was not visited; visited nodes: “Send message: Hello” and “gone”.',
  );
  expect(fromFaults([LOOP], LABELS)[0]?.message).toBe(messages()[0]);
});

test('messages name nodes as on the canvas in German', () =>
  inLanguage('de', () => {
    const labels = labelsOfDraft(definition, new Map());
    const [loop, unreachable] = fromFindings([LOOP, UNREACHABLE], labels).map((it) => it.message);
    expect(loop).toContain('Nachricht senden: Hello → gone → Nachricht senden: Hello');
    expect(unreachable).toBe('Kein Weg führt zu diesem Knoten.');
  }));

test('a place is in a node, or in the flow if the node cannot be read', () => {
  const node = { id: 'greet', type: 'send_message' };
  expect(placeOf(definition, '/nodes/0/message/text')).toEqual({ node, attribute: 'message.text' });
  expect(placeOf(definition, '/nodes/0')).toEqual({ node, attribute: '' });
  expect(placeOf({ nodes: [null] }, '/nodes/0/id')).toEqual({ attribute: 'nodes.0.id' });
  expect(placeOf(undefined, '/nodes/0/id')).toEqual({ attribute: 'nodes.0.id' });
  expect(placeOf(definition, '')).toEqual({ attribute: '' });
});

test('a draft that cannot be described has no labels', () => {
  const nodes = [{ id: 'fork', type: 'branch', branches: [{ when: null }] }];
  expect(labelsOfDraft({ nodes }, new Map()).size).toBe(0);
});
