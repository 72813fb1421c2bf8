import { expect, test } from 'vitest';
import { inLanguage } from '../../i18n/testing';
import { passInWords } from '../../simulation/phrases';
import { timeInWords } from './phrases';

test('times are in words, and templates stay', () => {
  expect(timeInWords('2026-01-02T09:00')).toBe('2 Jan 2026, 09:00');
  expect(timeInWords('2026-01-02T09:00:00Z')).toMatch(/^2 Jan 2026, \d\d:00:00 \S+$/);
  expect(timeInWords('2026-01-02T09:00:00+05:30')).toMatch(/^[12] Jan 2026, /);
  for (const it of ['{{ vars.at }}', '2026-13-02T09:00', 'tomorrow']) expect(timeInWords(it)).toBe(it);
});

test('a simulated duration with several units is in words', async () => {
  expect(passInWords('P1DT12H')).toBe('1 day 12 hours pass');
  await inLanguage('de', async () => {
    expect(passInWords('P1DT12H')).toBe('1 Tag 12 Stunden vergehen');
    expect(timeInWords('2026-01-02T09:00')).toBe('02.01.2026, 09:00');
  });
});
