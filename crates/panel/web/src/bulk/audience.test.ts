import { expect, test } from 'vitest';
import { audienceOf } from './audience';

const gold = { field: 'tags', op: 'has' as const, value: 'tag_gold' };
const subscribed = { field: 'subscribed', op: 'eq' as const, value: true };

test('selects all contacts without a filter, and all of a segment', () => {
  expect(audienceOf({}, undefined)).toEqual({ all: [] });
  expect(audienceOf({ segment: 'seg_1' }, undefined)).toEqual({ segment_id: 'seg_1' });
  expect(audienceOf({ filter: gold }, undefined)).toEqual(gold);
});

test('adds words and the condition of a segment to the filter, after the segment is loaded', () => {
  expect(audienceOf({ filter: gold, segment: 'seg_1' }, undefined)).toBeUndefined();
  expect(audienceOf({ filter: gold, segment: 'seg_1' }, subscribed)).toEqual({ all: [gold, subscribed] });
  expect(audienceOf({ q: 'ada' }, undefined)).toMatchObject({
    any: [{ field: 'name', value: 'ada' }, {}, {}],
  });
  expect(audienceOf({ q: 'ada', filter: gold }, undefined)).toMatchObject({
    all: [gold, { any: [{}, {}, {}] }],
  });
});

test('selects no deleted contacts', () => {
  expect(audienceOf({ deleted: 'only' }, undefined)).toBeUndefined();
});
