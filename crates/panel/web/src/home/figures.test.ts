import { expect, test } from 'vitest';
import type { Histogram } from './api';
import { busiest, columns, sums } from './figures';

const histogram: Histogram = {
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-01T01:00:00.000Z',
  interval: 'PT15M',
  data: [
    { at: '2026-01-01T00:15:00.000Z', requests: 10, client_errors: 4, server_errors: 1 },
    { at: '2026-01-01T00:45:00.000Z', requests: 5, client_errors: 0, server_errors: 0 },
  ],
};

test('adds up the buckets', () => {
  expect(sums(histogram.data)).toEqual({ requests: 15, clientErrors: 4, serverErrors: 1 });
  expect(busiest(histogram.data)).toBe(10);
  expect(busiest([])).toBe(0);
});

test('places bars at their time, with errors on top, and scales them to the highest', () => {
  const [first, second] = columns(histogram, 400, 100);
  expect(first).toEqual({
    x: 100,
    width: 80,
    parts: [
      { kind: 'ok', y: 50, height: 50 },
      { kind: 'client', y: 10, height: 40 },
      { kind: 'server', y: 0, height: 10 },
    ],
  });
  expect(second).toEqual({ x: 300, width: 80, parts: [{ kind: 'ok', y: 50, height: 50 }] });
});
