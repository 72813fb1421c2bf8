import { expect, test } from 'vitest';
import type { Condition } from '../conditions/grammar';
import { asked, turned } from './query';
import { readContactSearch } from './search';

const gold: Condition = { field: 'custom_fields.plan', op: 'eq', value: 'gold' };
const vip: Condition = { field: 'tags', op: 'has', value: 'vip' };

test('words and a segment without a condition use the list, which counts', () => {
  expect(asked({ q: 'ada', segment: 'seg_1', sort: 'name' }, undefined)).toEqual({
    by: 'list',
    q: 'ada',
    segment: 'seg_1',
    deleted: undefined,
    sort: 'name',
  });
});

test('adds words and a segment to a condition', () => {
  expect(asked({ filter: gold }, undefined)).toEqual({ by: 'search', filter: gold, sort: '-created_at' });
  expect(asked({ filter: gold, segment: 'seg_1' }, undefined)).toBeUndefined();
  const both = asked({ filter: gold, segment: 'seg_1', q: 'ada' }, vip);
  expect(both).toMatchObject({
    filter: {
      all: [
        gold,
        vip,
        {
          any: ['name', 'email', 'external_id'].map((field) => ({ field, op: 'contains', value: 'ada' })),
        },
      ],
    },
  });
});

test('searches telephone numbers only for a word with a digit', () => {
  const fields = JSON.stringify(asked({ filter: gold, q: '015' }, undefined));
  expect(fields).toContain('"phone"');
});

test('lists deleted contacts without the condition', () => {
  expect(asked({ filter: gold, deleted: 'only' }, undefined)).toMatchObject({ by: 'list', deleted: 'only' });
});

test('sorts a column in one direction, then in the other', () => {
  expect(turned('-created_at', 'name')).toBe('name');
  expect(turned('name', 'name')).toBe('-name');
  expect(turned('-last_message_at', 'last_message_at')).toBe('last_message_at');
});

test('reads an address, and ignores invalid values', () => {
  expect(readContactSearch({ q: 15, sort: 'age', filter: { all: [gold] }, create: 'yes' })).toEqual({
    q: '15',
    sort: undefined,
    segment: undefined,
    filter: { all: [gold] },
    deleted: undefined,
    create: undefined,
  });
  expect(readContactSearch({ filter: { all: 'x' } }).filter).toBeUndefined();
});
