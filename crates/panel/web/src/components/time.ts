import { clockTime, date, relativeTime } from '../i18n/format';
import { texts } from '../i18n/texts';

const common = texts('common');

const EXACT: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
};
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** The time relative to `now`: "2 minutes ago", "yesterday", "in 3 days". */
export function relative(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relativeTime(Math.trunc(seconds / length), unit);
  }
  return Math.abs(seconds) < 10 ? common('justNow') : relativeTime(Math.trunc(seconds), 'second');
}

/**
 * The relative time of a past event. The server's clock may be ahead of the browser's, so it is never in the
 * future.
 */
export function relativePast(at: string, now: number): string {
  return relative(at, Math.max(Date.parse(at), now));
}

/** The date and time in the user's time zone. */
export function absolute(at: string): string {
  return date(at, { dateStyle: 'medium', timeStyle: 'long' });
}

/** The time of day to the millisecond, for lines of a log. */
export function timeOfDay(at: string): string {
  return date(at, EXACT);
}

/** The day and the time to the minute, for a sentence: "5 December 2026, 11:00". */
export function dayAndTime(at: string): string {
  return `${date(at, { dateStyle: 'long' })}, ${clockTime(at)}`;
}

export function day(at: string): string {
  return date(at, { dateStyle: 'medium' });
}
