import { expect, test } from 'vitest';
import { isMeant, timeIn, zones } from './zones';

test('UTC is first, and there once; a zone that the browser lacks stays in the list', () => {
  const all = zones('Europe/Berlin');
  expect(all[0]).toBe('UTC');
  expect(all.filter((it) => it === 'UTC')).toHaveLength(1);
  expect(all).toContain('Europe/Berlin');
  expect(zones('Mars/Olympus').slice(0, 2)).toEqual(['UTC', 'Mars/Olympus']);
});

test('the time is told as it is there', () => {
  const now = new Date('2026-01-05T23:30:00Z');
  expect(timeIn('UTC', now)).toBe('Mon 23:30');
  expect(timeIn('Asia/Tokyo', now)).toBe('Tue 08:30');
  expect(timeIn('Mars/Olympus', now)).toBeUndefined();
});

test('a zone is found by what people type', () => {
  expect(isMeant('America/New_York', 'new york')).toBe(true);
  expect(isMeant('America/New_York', 'york america')).toBe(true);
  expect(isMeant('America/New_York', 'paris')).toBe(false);
});
