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

test('a story goes on, back, and begins again', () => {
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

test('a real contact takes the place of one that is made up', () => {
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

test('what came may be expected from then on', () => {
  expect(expectationOf(came, 'f')).toEqual({ nodes: ['a', 'n'], texts: ['Hi'], tags: ['vip'] });
  expect(keptAs('gold', { ...story, contact_id: 'contact_1' }, { tags: ['vip'] })).toEqual({
    ...story,
    name: 'gold',
    expect: { tags: ['vip'] },
  });
});

test('a script takes the place of the one of its name', () => {
  expect(withScript([{ name: 'a' }, { name: 'b' }], { name: 'a', script: [] })).toEqual([
    { name: 'a', script: [] },
    { name: 'b' },
  ]);
  expect(withScript<{ name?: string }>([{ name: 'a' }], { name: 'c' })).toHaveLength(2);
});
