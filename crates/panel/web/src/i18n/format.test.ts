import { expect, test } from 'vitest';
import { absolute, day, relative } from '../components/time';
import { dayName, span } from '../inbox/times';
import { timeIn } from '../settings/zones';
import { clockTime, compact, languageName, list } from './format';
import { inLanguage } from './testing';

const AT = '2026-03-05T12:04:00.000';
const NOW = Date.parse('2026-03-07T12:04:00.000');

const inUtc = () => timeIn('UTC', new Date('2026-03-05T12:04:00Z'));
const shown = () => [
  day(AT),
  clockTime(AT),
  relative(AT, NOW),
  relative(AT, Date.parse(AT)),
  dayName(AT, NOW),
  span(AT, NOW),
  list(['a', 'b', 'c']),
  compact(1_250_000).replace('\u00a0', ' '),
];

test('dates, lists and numbers follow the language', async () => {
  expect(shown()).toEqual([
    '5 Mar 2026',
    '12:04',
    '2 days ago',
    'just now',
    'Thursday 5 March',
    '2 d',
    'a, b and c',
    '1.3M',
  ]);
  expect(inUtc()).toBe('Thu 12:04');
  expect(absolute(AT)).toMatch(/^5 Mar 2026, 12:04:00/);
  await inLanguage('de', () => {
    expect(shown()).toEqual([
      '05.03.2026',
      '12:04',
      'vorgestern',
      'gerade eben',
      'Donnerstag, 5. März',
      '2 T.',
      'a, b und c',
      '1,3 Mio.',
    ]);
    expect(inUtc()).toMatch(/^Do\.?, 12:04$/);
    expect(absolute(AT)).toMatch(/^05\.03\.2026, 12:04:00/);
  });
});

test('languages have names, except those with an invalid tag', async () => {
  expect([languageName('en-GB'), languageName('de'), languageName('en_')]).toEqual([
    'British English',
    'German',
    'en_',
  ]);
  await inLanguage('de', () => expect(languageName('en')).toBe('Englisch'));
});
