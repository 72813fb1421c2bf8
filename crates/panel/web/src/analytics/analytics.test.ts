import { expect, test } from 'vitest';
import { csvOf, nameOf } from './csv';
import { intervalOf, intervalsFor, readAnalyticsSearch } from './search';
import { hasAny, labelOf, linesOf, type Overview, pointsOf } from './series';

const none = { delivered: 0, failed: 0 };
const overview = {
  totals: { webhooks: { delivered: 3, failed: 0 }, flows: { started: 0, completed: 0, failed: 0 } },
  series: [
    { at: '2026-01-01T23:00:00.000Z', webhooks: { delivered: 3, failed: 0 } },
    { at: '2026-01-02T23:00:00.000Z', webhooks: none },
  ],
} as unknown as Overview;

test('leaves out lines without values, unless all are empty', () => {
  expect(linesOf(overview, 'webhooks')).toEqual(['delivered']);
  expect(linesOf(overview, 'flows')).toEqual(['started', 'completed', 'failed']);
  expect([hasAny(overview, 'webhooks'), hasAny(overview, 'flows')]).toEqual([true, false]);
  expect(pointsOf(overview, 'webhooks')[0]).toEqual({
    at: '2026-01-01T23:00:00.000Z',
    delivered: 3,
    failed: 0,
  });
});

test('labels points in the time zone', () => {
  expect(labelOf('2026-01-01T23:00:00.000Z', 'day', 'Europe/Berlin')).toBe('2 Jan');
  expect(labelOf('2026-01-01T23:00:00.000Z', 'hour', 'UTC')).toBe('1 Jan, 23:00');
});

test('requests only intervals that the API accepts', () => {
  expect(intervalsFor('P90D')).toEqual(['day', 'week']);
  expect(intervalOf({ last: 'P90D', by: 'hour' })).toBe('day');
  expect(intervalOf({ last: 'P1D' })).toBe('hour');
  expect(intervalOf({ last: 'P7D', by: 'hour' })).toBe('hour');
  expect(readAnalyticsSearch({ last: 'P2D', by: 'minute', zone: 3 })).toEqual({});
});

test('exports the series as a table with a column for each count', () => {
  const [head, first, second, end] = csvOf(overview).split('\r\n');
  const column = (row: string | undefined, name: string) =>
    row?.split(',')[head?.split(',').indexOf(name) ?? 0];
  expect(head).toMatch(/^at,messages\.received,/);
  expect(column(first, 'webhooks.delivered')).toBe('3');
  expect(column(first, 'broadcasts.suppressed')).toBe('0');
  expect(column(second, 'at')).toBe('2026-01-02T23:00:00.000Z');
  expect(end).toBe('');
  const span = { from: '2026-01-01T23:00:00.000Z', to: '2026-01-31T23:00:00.000Z' } as Overview;
  expect(nameOf(span)).toBe('tidings-analytics-2026-01-01-2026-01-31.csv');
});
