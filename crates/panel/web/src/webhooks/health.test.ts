import { expect, test } from 'vitest';
import { durationOf, healthOf, successOf } from './health';

const stats = (succeeded_24h: number, failed_24h: number) => ({ succeeded_24h, failed_24h, p95_ms: null });

test('health goes by the share of attempts that were taken', () => {
  expect([stats(0, 0), stats(100, 0), stats(95, 5), stats(1, 1)].map(healthOf)).toEqual([
    'quiet',
    'well',
    'unsteady',
    'failing',
  ]);
});

test('one failure of many is never told as none', () => {
  expect(successOf(stats(99_999, 1))).toBe('99.9%');
  expect(successOf(stats(3, 0))).toBe('100%');
  expect(successOf(stats(0, 0))).toBeUndefined();
});

test('durations are told in what suits them', () => {
  expect([7, 999, 2410].map(durationOf)).toEqual(['7 ms', '999 ms', '2.4 s']);
});
