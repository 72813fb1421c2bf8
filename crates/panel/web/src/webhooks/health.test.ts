import { expect, test } from 'vitest';
import { durationOf, healthOf, successOf } from './health';

const stats = (succeeded_24h: number, failed_24h: number) => ({ succeeded_24h, failed_24h, p95_ms: null });

test('derives health from the share of successful attempts', () => {
  expect([stats(0, 0), stats(100, 0), stats(95, 5), stats(1, 1)].map(healthOf)).toEqual([
    'quiet',
    'well',
    'unsteady',
    'failing',
  ]);
});

test('never rounds one failure of many to none', () => {
  expect(successOf(stats(99_999, 1))).toBe('99.9%');
  expect(successOf(stats(3, 0))).toBe('100%');
  expect(successOf(stats(0, 0))).toBeUndefined();
});

test('shows durations in a suitable unit', () => {
  expect([7, 999, 2410].map(durationOf)).toEqual(['7 ms', '999 ms', '2.4 s']);
});
