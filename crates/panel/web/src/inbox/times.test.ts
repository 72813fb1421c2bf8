import { expect, test } from 'vitest';
import { dayName, snoozeChoices, span, until } from './times';

const local = (text: string) => new Date(text);
const now = local('2026-01-07T12:00:00'); // a Wednesday

test('abbreviates waiting times', () => {
  const ago = (seconds: number) =>
    span(new Date(now.getTime() - seconds * 1000).toISOString(), now.getTime());
  expect([5, 130, 7300, 200_000, -9].map(ago)).toEqual(['now', '2 min', '2 h', '2 d', 'now']);
});

test('names days in everyday words', () => {
  const named = (text: string) => dayName(local(text).toISOString(), now.getTime());
  expect(named('2026-01-07T00:01:00')).toBe('Today');
  expect(named('2026-01-08T00:00:02')).toBe('Today');
  expect(named('2026-01-06T23:59:00')).toBe('Yesterday');
  expect(named('2026-01-02T10:00:00')).toBe('Friday 2 January');
  expect(named('2025-12-31T10:00:00')).toBe('31 December 2025');
});

test('offers to snooze for hours, until tomorrow or until Monday', () => {
  const choices = snoozeChoices(now).map(({ key, at }) => [key, at.getTime()]);
  expect(choices).toEqual([
    ['hour', local('2026-01-07T13:00:00').getTime()],
    ['hours', local('2026-01-07T15:00:00').getTime()],
    ['tomorrow', local('2026-01-08T09:00:00').getTime()],
    ['monday', local('2026-01-12T09:00:00').getTime()],
  ]);
  expect(snoozeChoices(local('2026-01-11T12:00:00')).map((it) => it.key)).not.toContain('monday');
});

test('formats the end of a snooze by its distance', () => {
  const told = (text: string) => until(local(text).toISOString(), now.getTime());
  expect(told('2026-01-07T14:05:00')).toBe('14:05');
  expect(told('2026-01-08T09:00:00')).toBe('Thu 09:00');
  expect(told('2026-03-03T09:00:00')).toBe('3 Mar 09:00');
});
