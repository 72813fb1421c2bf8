import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { datePattern, dateText, readDate } from './date-text';

test('writes and reads dates in the order of the language', () => {
  expect(datePattern(false)).toBe('DD/MM/YYYY');
  expect(datePattern(true)).toBe('DD/MM/YYYY hh:mm');
  expect(dateText('2026-01-31')).toBe('31/01/2026');
  expect(dateText('2026-01-31T09:30')).toBe('31/01/2026 09:30');
  expect(readDate('31/1/2026', false)).toBe('2026-01-31');
  expect(readDate('31/01/26 9:30', true)).toBe('2026-01-31T09:30');
});

test('German dates have dots', () =>
  inLanguage('de', () => {
    expect(datePattern(true)).toBe('TT.MM.JJJJ hh:mm');
    expect(dateText('2026-01-31')).toBe('31.01.2026');
    expect(readDate('31.1.2026, 09:30', true)).toBe('2026-01-31T09:30');
  }));

test('reads ISO dates in each language', () => {
  expect(readDate('2026-01-31', false)).toBe('2026-01-31');
  expect(readDate('2026-01-31T09:30', true)).toBe('2026-01-31T09:30');
});

test('rejects invalid and incomplete dates', () => {
  for (const text of ['', '31/01', '31/02/2026', '01/13/2026', '1/1/202', '31/01/2026 09:30', 'tomorrow'])
    expect(readDate(text, false)).toBeUndefined();
  for (const text of ['31/01/2026', '31/01/2026 9', '31/01/2026 24:00', '31/01/2026 9:3'])
    expect(readDate(text, true)).toBeUndefined();
});
