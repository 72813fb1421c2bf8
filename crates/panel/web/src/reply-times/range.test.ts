import { expect, test } from 'vitest';
import { daysOf, faultOf, instantsOf } from './range';
import { readRepliesSearch } from './search';

const NOW = Date.parse('2026-03-30T23:30:00Z');

test('a range ends today in the time zone', () => {
  expect(daysOf({}, 'UTC', NOW)).toEqual({ from: '2026-03-01', to: '2026-03-30' });
  expect(daysOf({ last: 'P7D' }, 'Europe/Berlin', NOW)).toEqual({ from: '2026-03-25', to: '2026-03-31' });
});

test('a range includes both days, also if the clocks change', () => {
  const days = { from: '2026-03-29', to: '2026-03-29' };
  expect(instantsOf(days, 'Europe/Berlin')).toEqual({
    from: '2026-03-28T23:00:00.000Z',
    to: '2026-03-29T22:00:00.000Z',
  });
});

test('does not request an invalid range', () => {
  expect(faultOf({ from: '2026-03-01' })).toBe('incomplete');
  expect(faultOf({ from: '2026-03-02', to: '2026-03-01' })).toBe('reversed');
  expect(faultOf({ from: '2025-03-01', to: '2026-03-02' })).toBe('tooLong');
  expect(faultOf({ from: '2025-03-02', to: '2026-03-02' })).toBeUndefined();
  expect(instantsOf({ from: '2026-03-02', to: '2026-03-01' }, 'UTC')).toBeUndefined();
});

test('ignores unknown search parameters', () => {
  expect(readRepliesSearch({ last: 'P1D', from: '2026-13-01', to: 7 })).toEqual({});
  expect(readRepliesSearch({ last: 'P7D', from: '2026-03-01' })).toEqual({ last: 'P7D', from: '2026-03-01' });
});
