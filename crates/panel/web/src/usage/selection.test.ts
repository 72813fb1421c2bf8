import { expect, test } from 'vitest';
import type { Bucket } from './buckets';
import { bucketAt, chosenSpan, ends, moved } from './selection';

const NOON = Date.UTC(2026, 6, 24, 12);
const buckets: Bucket[] = Array.from({ length: 10 }, (_, at) => ({
  begin: NOON + at * 60_000,
  end: NOON + (at + 1) * 60_000,
  requests: 0,
  client: 0,
  server: 0,
}));

test('finds the bucket of a position, or the nearest one', () => {
  expect([-20, 0, 99, 100, 999, 1000, 4000].map((x) => bucketAt(x, 1000, 10))).toEqual([0, 0, 0, 1, 9, 9, 9]);
});

test('a time span covers whole buckets in any order', () => {
  const span = { from: '2026-07-24T12:02:00.000Z', to: '2026-07-24T12:06:00.000Z' };
  expect(chosenSpan(buckets, { anchor: 2, head: 5 })).toEqual(span);
  expect(chosenSpan(buckets, { anchor: 5, head: 2 })).toEqual(span);
  expect(chosenSpan([], { anchor: 0, head: 0 })).toBeUndefined();
  expect(ends({ anchor: 5, head: 2 })).toEqual([2, 5]);
});

test('arrow keys begin at the near end, and move by one bucket', () => {
  expect(moved(undefined, 'ArrowLeft', false, 10)).toEqual({ anchor: 9, head: 9 });
  expect(moved(undefined, 'ArrowRight', false, 10)).toEqual({ anchor: 0, head: 0 });
  expect(moved({ anchor: 4, head: 4 }, 'ArrowLeft', false, 10)).toEqual({ anchor: 3, head: 3 });
  expect(moved({ anchor: 0, head: 0 }, 'ArrowLeft', false, 10)).toEqual({ anchor: 0, head: 0 });
});

test('Shift keeps one end', () => {
  expect(moved({ anchor: 4, head: 4 }, 'ArrowRight', true, 10)).toEqual({ anchor: 4, head: 5 });
  expect(moved({ anchor: 4, head: 9 }, 'ArrowRight', true, 10)).toEqual({ anchor: 4, head: 9 });
  expect(moved({ anchor: 4, head: 5 }, 'Home', true, 10)).toEqual({ anchor: 4, head: 0 });
  expect(moved({ anchor: 4, head: 0 }, 'End', false, 10)).toEqual({ anchor: 9, head: 9 });
});

test('ignores other keys, and a histogram without buckets', () => {
  expect(moved({ anchor: 4, head: 4 }, 'Enter', false, 10)).toBeUndefined();
  expect(moved(undefined, 'ArrowLeft', false, 0)).toBeUndefined();
});
