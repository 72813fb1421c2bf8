import { expect, test } from 'vitest';
import { timeOfDay } from '../components/time';
import { spanText, withDays } from './clock';

/** A local time in July 2026. */
const local = (day: number, hour: number, minute = 0) => new Date(2026, 6, day, hour, minute);

test('shows times of the log with milliseconds', () => {
  expect(timeOfDay(new Date(2026, 6, 24, 12, 41, 7, 21).toISOString())).toBe('12:41:07.021');
});

test('shows the day of a time span once', () => {
  expect(spanText(+local(24, 12, 5), +local(24, 12, 10))).toBe('24 Jul, 12:05 – 12:10');
  expect(spanText(+local(24, 23), +local(25, 1))).toBe('24 Jul, 23:00 – 25 Jul, 01:00');
});

test('shows a day above its first row, except today', () => {
  const rows = [local(24, 12), local(24, 1), local(23, 22), local(23, 21), local(21, 9)];
  const days = (now: Date) =>
    withDays(
      rows.map((it) => ({ at: it.toISOString() })),
      +now,
    ).map((it) => it.day);
  expect(days(local(24, 13))).toEqual([undefined, undefined, '23 Jul', undefined, '21 Jul']);
  expect(days(local(25, 13))).toEqual(['24 Jul', undefined, '23 Jul', undefined, '21 Jul']);
});
