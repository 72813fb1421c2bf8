import { expect, test } from 'vitest';
import { barsOf, ticksOf, topOf } from './bars';
import type { Bucket } from './buckets';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 6, 24, 12);

/** Buckets of one minute with these counts. */
function buckets(counts: [number, number?, number?][], length = MINUTE, first = NOON): Bucket[] {
  return counts.map(([requests, client = 0, server = 0], at) => ({
    begin: first + at * length,
    end: first + (at + 1) * length,
    requests,
    client,
    server,
  }));
}

test('the scale ends at a round number above the highest bar', () => {
  const tops = [0, 1, 3, 7, 9, 10, 11, 59, 61, 101, 4_200].map((most) => topOf(buckets([[most]])));
  expect(tops).toEqual([1, 1, 3, 8, 10, 10, 20, 60, 80, 200, 5_000]);
});

test('places bars in equal slots', () => {
  const [first, second] = barsOf(buckets([[1], [1], [1], [1]]), { width: 80, height: 50 });
  expect([first?.x, first?.width]).toEqual([1, 18]);
  expect(second?.x).toBe(21);
});

test('a single bar is not as wide as the page', () => {
  const [bar] = barsOf(buckets([[1]]), { width: 1000, height: 50 });
  expect([bar?.x, bar?.width]).toEqual([468, 64]);
});

test('stacks client errors on successes, and server errors on top', () => {
  const [bar] = barsOf(buckets([[10, 3, 2]]), { width: 20, height: 100 });
  expect(bar?.parts).toEqual([
    { kind: 'done', y: 50, height: 50 },
    { kind: 'client', y: 20, height: 30 },
    { kind: 'server', y: 0, height: 20 },
  ]);
});

test('shows one error among thousands, within the height of the bar', () => {
  const [bar] = barsOf(buckets([[10_000, 1, 1]]), { width: 20, height: 100 });
  expect(bar?.parts.map((it) => it.kind)).toEqual(['done', 'client', 'server']);
  expect(bar?.parts.map((it) => it.height)).toEqual([96, 2, 2]);
  expect(bar?.parts.at(-1)?.y).toBeCloseTo(0);
});

test('a bucket without requests has no bar', () => {
  expect(barsOf(buckets([[0], [1]]), { width: 20, height: 100 })[0]?.parts).toEqual([]);
});

test('places labels at round times of the time zone', () => {
  const hour = buckets(
    Array.from({ length: 60 }, () => [1]),
    MINUTE,
    NOON + 3 * MINUTE,
  );
  expect(ticksOf(hour, 600, 0).map((it) => it.label)).toEqual([
    '12:10',
    '12:20',
    '12:30',
    '12:40',
    '12:50',
    '13:00',
  ]);
  expect(ticksOf(hour, 600, 0)[0]?.x).toBe(70);
  const india = 5.5 * 60 * MINUTE;
  expect(ticksOf(hour, 200, india).map((it) => it.label)).toEqual(['17:40', '18:00', '18:20']);
});

test('labels midnights with the day', () => {
  const week = buckets(
    Array.from({ length: 28 }, () => [1]),
    360 * MINUTE,
  );
  expect(ticksOf(week, 700, 0)[0]?.label).toBe('25 Jul');
  expect(ticksOf(week, 700, 0).every((it) => / Jul$/.test(it.label))).toBe(true);
});

test('shows no labels without buckets or space', () => {
  expect(ticksOf([], 600, 0)).toEqual([]);
  expect(ticksOf(buckets([[1]]), 0, 0)).toEqual([]);
});
