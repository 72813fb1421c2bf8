import { expect, test } from 'vitest';
import {
  begunAgain,
  bodyOf,
  continued,
  expectationOf,
  isBegun,
  keptAs,
  type Simulated,
  takenBack,
  withScript,
} from './story';

const story = { contact: { first_name: 'Ada' }, script: [{ message: 'hi' }] };

test('continues, undoes and restarts a script', () => {
  const longer = continued(story, { advance: 'P1D' });
  expect(longer.script).toEqual([{ message: 'hi' }, { advance: 'P1D' }]);
  expect(takenBack(longer)).toEqual(story);
  expect(begunAgain(longer).script).toEqual([]);
  expect([
    isBegun({ script: [] }),
    isBegun({}),
    isBegun(story),
    isBegun({ script: [], start: 'api' }),
  ]).toEqual([false, true, true, true]);
});

test('uses a real contact instead of a simulated one', () => {
  expect(bodyOf({ ...story, name: 'x', contact_id: 'contact_1' })).toEqual({
    contact_id: 'contact_1',
    script: [{ message: 'hi' }],
  });
  expect(bodyOf({})).toEqual({ contact: {} });
});

const came = {
  contact: { tags: [{ name: 'vip' }] },
  trace: [
    { type: 'entry', entry: 0 },
    { type: 'node', node_id: 'a', flow_id: 'f', resumed: false, message: { sent: true, text: 'Hi' } },
    { type: 'node', node_id: 'a', flow_id: 'f', resumed: true, message: null },
    { type: 'node', node_id: 'elsewhere', flow_id: 'g', resumed: false, message: null },
    { type: 'node', node_id: 'n', flow_id: 'f', resumed: false, message: { sent: false, text: 'a note' } },
  ],
} as unknown as Simulated;

test('creates expectations from the result', () => {
  expect(expectationOf(came, 'f')).toEqual({ nodes: ['a', 'n'], texts: ['Hi'], tags: ['vip'] });
  expect(keptAs('gold', { ...story, contact_id: 'contact_1' }, { tags: ['vip'] })).toEqual({
    ...story,
    name: 'gold',
    expect: { tags: ['vip'] },
  });
});

test('replaces a script with the same name', () => {
  expect(withScript([{ name: 'a' }, { name: 'b' }], { name: 'a', script: [] })).toEqual([
    { name: 'a', script: [] },
    { name: 'b' },
  ]);
  expect(withScript<{ name?: string }>([{ name: 'a' }], { name: 'c' })).toHaveLength(2);
});
