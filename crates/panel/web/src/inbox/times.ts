import { clockTime, date } from '../i18n/format';
import { texts } from '../i18n/texts';

const t = texts('inbox');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A short duration since a time: "now", "2 min", "3 h", "4 d". */
export function span(since: string, now: number): string {
  const ms = Math.max(0, now - Date.parse(since));
  if (ms < MINUTE) return t('span.now');
  if (ms < HOUR) return t('span.minutes', { n: Math.floor(ms / MINUTE) });
  if (ms < DAY) return t('span.hours', { n: Math.floor(ms / HOUR) });
  return t('span.days', { n: Math.floor(ms / DAY) });
}

/** The time to the minute, for a message. */
export function minute(at: string): string {
  return clockTime(at);
}

/** The day and the time to the minute in short, beside a change of a message. */
export function dayAndMinute(at: string): string {
  return date(at, { dateStyle: 'short', timeStyle: 'short' });
}

/** The day, for a separator between messages: "Today", "Yesterday", "Monday 3 March", "3 March 2025". */
export function dayName(at: string, now: number): string {
  const day = startOfDay(Date.parse(at));
  const days = Math.round((startOfDay(now) - day) / DAY);
  // After midnight, the server's clock may be ahead of the browser's.
  if (days <= 0) return t('days.today');
  if (days === 1) return t('days.yesterday');
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return date(at, {
    day: 'numeric',
    month: 'long',
    ...(sameYear ? { weekday: 'long' } : { year: 'numeric' }),
  });
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** A suggested end of a snooze. */
export interface SnoozeChoice {
  key: 'hour' | 'hours' | 'tomorrow' | 'monday';
  at: Date;
}

/** Suggested ends of a snooze, in the browser's time zone. */
export function snoozeChoices(now: Date): SnoozeChoice[] {
  const atNine = (days: number) => {
    const day = new Date(now);
    day.setDate(day.getDate() + days);
    day.setHours(9, 0, 0, 0);
    return day;
  };
  const toMonday = (8 - now.getDay()) % 7 || 7;
  const choices: SnoozeChoice[] = [
    { key: 'hour', at: new Date(now.getTime() + HOUR) },
    { key: 'hours', at: new Date(now.getTime() + 3 * HOUR) },
    { key: 'tomorrow', at: atNine(1) },
  ];
  return toMonday > 1 ? [...choices, { key: 'monday', at: atNine(toMonday) }] : choices;
}

/** The end of a snooze: "14:05", "Tue 09:00", "3 Mar 09:00". */
export function until(at: string, now: number): string {
  const then = new Date(at);
  const days = Math.round((startOfDay(then.getTime()) - startOfDay(now)) / DAY);
  if (days === 0) return minute(at);
  const day = date(then, days > 0 && days < 7 ? { weekday: 'short' } : { day: 'numeric', month: 'short' });
  return `${day} ${minute(at)}`;
}
