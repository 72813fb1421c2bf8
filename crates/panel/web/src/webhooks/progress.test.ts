import { expect, test } from 'vitest';
import { progressOf, stateOf } from './progress';

const tried = (attempt_count: number, last_status: number | null) =>
  progressOf({ status: 'pending', attempt_count, last_status });

test('shows a delivery with a failed attempt as retrying, in red', () => {
  expect(tried(1, 500)).toEqual({ tone: 'bad', text: 'Retrying (1 of 10)' });
  expect(tried(3, null)).toEqual({ tone: 'bad', text: 'Retrying (3 of 10)' });
});

test('a new delivery and a replayed success are not failures', () => {
  expect(tried(0, null).tone).toBe('wait');
  expect(tried(1, 200).tone).toBe('wait');
});

test('does not show earlier attempts after a replay', () => {
  expect(tried(11, 500)).toEqual({ tone: 'bad', text: 'Retrying' });
});

test('shows an active webhook in green only without failures', () => {
  const of = (succeeded_24h: number, failed_24h: number) =>
    stateOf({ status: 'active', stats: { succeeded_24h, failed_24h, p95_ms: null } });
  expect(of(0, 0)).toEqual({ tone: 'ok', text: 'active' });
  expect(of(5, 0)).toEqual({ tone: 'ok', text: 'active' });
  expect(of(999, 1)).toEqual({ tone: 'wait', text: 'active, some attempts fail' });
  expect(of(0, 1)).toEqual({ tone: 'bad', text: 'active, failing' });
  expect(stateOf({ status: 'paused', stats: { succeeded_24h: 0, failed_24h: 1, p95_ms: null } }).tone).toBe(
    'off',
  );
});
