import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { doneOf, isEdited, percentOf, reachOf, withParts } from './draft';
import { clockIn, instantOf, told } from './schedule';

const stats = { targeted: 200, sent: 150, delivered: 100, read: 3, failed: 7, suppressed: 40, uncertain: 2 };

test('counts contacts with an outcome, and completes when all have one', () => {
  expect(doneOf(stats)).toBe(199);
  expect(percentOf(stats)).toBe(99);
  expect(percentOf({ ...stats, failed: 8 })).toBe(100);
  expect(percentOf({ ...stats, targeted: 0 })).toBe(0);
});

test('does not count contacts that would get no message', () => {
  expect(reachOf({ contact_count: 10, suppressed: { unsubscribed: 2, blocked: 1 } })).toBe(7);
});

test('converts local times of a time zone, in summer and in winter', () => {
  expect(clockIn('Europe/Berlin', '2026-07-01T07:00:00.000Z')).toBe('2026-07-01T09:00');
  expect(clockIn('America/New_York', '2026-01-01T03:30:00.000Z')).toBe('2025-12-31T22:30');
  for (const zone of ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu']) {
    for (const at of ['2026-01-15T08:05:00.000Z', '2026-07-15T23:45:00.000Z']) {
      expect(instantOf(zone, clockIn(zone, at))).toBe(at);
    }
  }
});

test('when clocks change, uses the first of two hours, and moves a missing hour forward', () => {
  expect(instantOf('Europe/Berlin', '2026-10-25T02:30')).toBe('2026-10-25T00:30:00.000Z');
  expect(instantOf('Europe/Berlin', '2026-03-29T02:30')).toBe('2026-03-29T01:30:00.000Z');
  expect(instantOf('UTC', '')).toBeUndefined();
});

test('formats a time by the language and the time zone', async () => {
  const shown = () => told('Europe/Berlin', '2026-03-03T08:00:00.000Z');
  expect(shown()).toMatch(/^Tue,? 3 Mar 2026, 09:00$/);
  await inLanguage('de', () => expect(shown()).toMatch(/^Di\.?, 3\. März 2026(,| um) 09:00$/));
});

test('the type of a message follows from its files', () => {
  const cat = { media_id: 'media_1', name: 'cat.png', mime_type: 'image/png' };
  const list = { media_id: 'media_2', name: 'list.txt', mime_type: 'text/plain' };
  const hello = { type: 'text', text: 'Hello', quick_replies: [{ title: 'Yes' }] };
  const picture = withParts(hello, { attachments: [cat] });
  expect(picture).toEqual({ ...hello, type: 'image', attachments: [cat] });
  expect(withParts(picture, { attachments: [cat, list] }).type).toBe('file');
  const { text: _, ...wordless } = picture;
  expect(withParts(picture, { text: '' })).toEqual(wordless);
  expect(withParts(wordless, { attachments: [] })).toEqual({ ...hello, text: '' });
  expect([isEdited(picture), isEdited({ type: 'template' })]).toEqual([true, false]);
});
