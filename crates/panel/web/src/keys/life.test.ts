import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { endOf, overlapEnd, stateOf } from './life';

const NOW = Date.parse('2026-01-01T00:00:00Z');

test('a key expires after its days, or never', () => {
  expect(endOf('P30D', NOW)).toBe('2026-01-31T00:00:00.000Z');
  expect(endOf('P365D', NOW)).toBe('2027-01-01T00:00:00.000Z');
  expect(endOf('never', NOW)).toBeNull();
});

test('an overlap ends after its duration', () => {
  expect(overlapEnd('PT0S', NOW)).toBe(NOW);
  expect(new Date(overlapEnd('P7D', NOW)).toISOString()).toBe('2026-01-08T00:00:00.000Z');
});

test('a key is active, expires soon, or is expired', () => {
  expect(stateOf(null, NOW).tone).toBe('ok');
  expect(stateOf('2026-03-01T00:00:00Z', NOW).tone).toBe('ok');
  expect(stateOf('2026-01-02T00:00:00Z', NOW).tone).toBe('wait');
  expect(stateOf('2026-01-01T00:00:00Z', NOW).tone).toBe('off');
});

test('shows the status of a key in German', async () => {
  await inLanguage('de', () => {
    expect(stateOf(null, NOW).word).toBe('aktiv');
    expect(stateOf('2026-01-02T00:00:00Z', NOW).word).toBe('läuft bald ab');
  });
});
