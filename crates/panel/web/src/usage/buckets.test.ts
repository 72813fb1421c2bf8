import { expect, test } from 'vitest';
import type { Histogram } from './api';
import { busiest, filled, sumsOf } from './buckets';

const at = (minute: number) => new Date(Date.UTC(2026, 6, 24, 12, minute)).toISOString();

function aHistogram(over: Partial<Histogram> = {}): Histogram {
  return { from: at(0), to: at(5), interval: 'PT1M', data: [], ...over };
}

const point = (minute: number, requests: number, client_errors = 0, server_errors = 0) => ({
  at: at(minute),
  requests,
  client_errors,
  server_errors,
});

test('adds empty buckets for times without requests', () => {
  const buckets = filled(aHistogram({ data: [point(1, 4, 1), point(4, 2, 0, 2)] }));
  expect(buckets.map((it) => [it.requests, it.client, it.server])).toEqual([
    [0, 0, 0],
    [4, 1, 0],
    [0, 0, 0],
    [0, 0, 0],
    [2, 0, 2],
  ]);
  expect(buckets.map((it) => it.begin)).toEqual([0, 1, 2, 3, 4].map((it) => Date.parse(at(it))));
  expect(buckets.at(-1)?.end).toBe(Date.parse(at(5)));
});

test('a bucket is as long as the interval', () => {
  for (const [interval, minutes] of [
    ['PT1M', 1],
    ['PT15M', 15],
    ['PT1H', 60],
    ['PT6H', 360],
    ['P1D', 1440],
  ] as const) {
    const buckets = filled(aHistogram({ interval, to: at(3 * minutes) }));
    expect(buckets.map((it) => (it.end - it.begin) / 60_000)).toEqual([minutes, minutes, minutes]);
  }
});

test('handles empty, invalid and very long time spans', () => {
  expect(filled(aHistogram({ to: at(0) }))).toEqual([]);
  expect(filled(aHistogram({ to: 'never' }))).toEqual([]);
  expect(filled(aHistogram({ to: '2036-01-01T00:00:00.000Z' })).length).toBe(1000);
});

test('sums all buckets, and finds the first busiest one', () => {
  const buckets = filled(aHistogram({ data: [point(1, 4, 1), point(2, 4), point(3, 1, 0, 1)] }));
  expect(sumsOf(buckets)).toEqual({ requests: 9, client: 1, server: 1 });
  expect(busiest(buckets)?.begin).toBe(Date.parse(at(1)));
  expect(busiest(filled(aHistogram()))).toBeUndefined();
});
