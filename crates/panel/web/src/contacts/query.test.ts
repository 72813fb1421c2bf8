import { expect, test } from 'vitest';
import type { Condition } from '../conditions/grammar';
import { asked, turned } from './query';
import { readContactSearch } from './search';

const gold: Condition = { field: 'custom_fields.plan', op: 'eq', value: 'gold' };
const vip: Condition = { field: 'tags', op: 'has', value: 'vip' };

test('words and a segment alone are asked of the list, which counts', () => {
  expect(asked({ q: 'ada', segment: 'seg_1', sort: 'name' }, undefined)).toEqual({
    by: 'list',
    q: 'ada',
    segment: 'seg_1',
    deleted: undefined,
    sort: 'name',
  });
});

test('beside a condition they become part of it', () => {
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

test('only a word with a digit is looked for in telephone numbers', () => {
  const fields = JSON.stringify(asked({ filter: gold, q: '015' }, undefined));
  expect(fields).toContain('"phone"');
});

test('deleted contacts are listed without the condition', () => {
  expect(asked({ filter: gold, deleted: 'only' }, undefined)).toMatchObject({ by: 'list', deleted: 'only' });
});

test('a column is sorted one way, then the other', () => {
  expect(turned('-created_at', 'name')).toBe('name');
  expect(turned('name', 'name')).toBe('-name');
  expect(turned('-last_message_at', 'last_message_at')).toBe('last_message_at');
});

test('an address is read as far as it makes sense', () => {
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
