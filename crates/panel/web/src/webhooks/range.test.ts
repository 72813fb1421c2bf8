import { expect, test } from 'vitest';
import { beginOf, durationOfReplay, localOf, rangeOf } from './range';

const NOW = Date.parse('2026-01-31T12:00:00Z');

test('a range begins at its duration before the present', () => {
  expect(beginOf('P1D', NOW)).toBe('2026-01-30T12:00:00.000Z');
});

test('converts local times to UTC, and back', () => {
  const range = rangeOf(localOf(NOW - 3_600_000), localOf(NOW), 'failed');
  expect(range).toEqual({
    since: '2026-01-31T11:00:00.000Z',
    until: '2026-01-31T12:00:00.000Z',
    status: 'failed',
  });
});

test('rejects an invalid range', () => {
  expect(rangeOf('', localOf(NOW), 'failed')).toBeUndefined();
  expect(rangeOf(localOf(NOW), localOf(NOW), 'failed')).toBeUndefined();
});

test('estimates the duration of a replay with fifty deliveries per second', () => {
  expect([1, 120, 6000].map(durationOfReplay)).toEqual(['1 second', '3 seconds', '2 minutes']);
});
