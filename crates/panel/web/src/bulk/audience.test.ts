import { expect, test } from 'vitest';
import { audienceOf } from './audience';

const gold = { field: 'tags', op: 'has' as const, value: 'tag_gold' };
const subscribed = { field: 'subscribed', op: 'eq' as const, value: true };

test('a list without a filter shows everybody, one of a segment all of it', () => {
  expect(audienceOf({}, undefined)).toEqual({ all: [] });
  expect(audienceOf({ segment: 'seg_1' }, undefined)).toEqual({ segment_id: 'seg_1' });
  expect(audienceOf({ filter: gold }, undefined)).toEqual(gold);
});

test('words and a segment become part of a condition, once the condition of the segment is known', () => {
  expect(audienceOf({ filter: gold, segment: 'seg_1' }, undefined)).toBeUndefined();
  expect(audienceOf({ filter: gold, segment: 'seg_1' }, subscribed)).toEqual({ all: [gold, subscribed] });
  expect(audienceOf({ q: 'ada' }, undefined)).toMatchObject({
    any: [{ field: 'name', value: 'ada' }, {}, {}],
  });
  expect(audienceOf({ q: 'ada', filter: gold }, undefined)).toMatchObject({
    all: [gold, { any: [{}, {}, {}] }],
  });
});

test('to whom was deleted nothing is done', () => {
  expect(audienceOf({ deleted: 'only' }, undefined)).toBeUndefined();
});
