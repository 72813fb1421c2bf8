import { expect, test } from 'vitest';
import { isMeant, timeIn, zones } from './zones';

test('lists UTC once, at the top, and keeps a zone that the browser does not know', () => {
  const all = zones('Europe/Berlin');
  expect(all[0]).toBe('UTC');
  expect(all.filter((it) => it === 'UTC')).toHaveLength(1);
  expect(all).toContain('Europe/Berlin');
  expect(zones('Mars/Olympus').slice(0, 2)).toEqual(['UTC', 'Mars/Olympus']);
});

test('shows the current time of a zone', () => {
  const now = new Date('2026-01-05T23:30:00Z');
  expect(timeIn('UTC', now)).toBe('Mon 23:30');
  expect(timeIn('Asia/Tokyo', now)).toBe('Tue 08:30');
  expect(timeIn('Mars/Olympus', now)).toBeUndefined();
});

test('finds a zone by any words of its name', () => {
  expect(isMeant('America/New_York', 'new york')).toBe(true);
  expect(isMeant('America/New_York', 'york america')).toBe(true);
  expect(isMeant('America/New_York', 'paris')).toBe(false);
});
