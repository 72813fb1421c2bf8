import type { components } from '../api/schema';
import { date } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Interval } from './search';

export type Overview = components['schemas']['AnalyticsOverview'];
export type Subject = keyof Overview['totals'];

const t = texts('analytics');

/** What each chart shows, in the order in which it is read. */
export const LINES: Record<Subject, string[]> = {
  messages: ['received', 'sent', 'delivered', 'read', 'failed', 'suppressed'],
  contacts: ['created', 'unsubscribed', 'deleted', 'restored'],
  conversations: ['created', 'resolved'],
  flows: ['started', 'completed', 'failed'],
  sequences: ['enrolled', 'completed', 'exited'],
  broadcasts: ['completed', 'sent', 'delivered', 'read', 'failed', 'suppressed'],
  webhooks: ['delivered', 'failed'],
};

/** The name of a line. */
export const nameOfLine = (line: string) => t.find('counts', line) ?? line;

/** What stands for something that went wrong. */
export const BAD = ['failed'];

/** One point of a chart: when it begins, and how often each thing happened in it. */
export type Point = { at: string } & Record<string, number | string>;

/** The points of one subject. */
export function pointsOf(overview: Overview, subject: Subject): Point[] {
  return overview.series.map((point) => ({ at: point.at, ...(point[subject] as Record<string, number>) }));
}

/** How often each thing of a subject happened in the whole range. */
export function totalsOf(overview: Overview, subject: Subject): Record<string, number> {
  return overview.totals[subject] as Record<string, number>;
}

/** The lines of a subject in which something happened; all of them where nothing did. */
export function linesOf(overview: Overview, subject: Subject): string[] {
  const totals = totalsOf(overview, subject);
  const some = LINES[subject].filter((it) => (totals[it] ?? 0) > 0);
  return some.length > 0 ? some : LINES[subject];
}

/** Whether anything of a subject happened. */
export function hasAny(overview: Overview, subject: Subject): boolean {
  return LINES[subject].some((it) => (totalsOf(overview, subject)[it] ?? 0) > 0);
}

/** When a point begins, by the clock of the zone: the hour, or the day. */
export function labelOf(at: string, interval: Interval, timeZone: string): string {
  const day = { day: 'numeric', month: 'short' } as const;
  const hour = { hour: '2-digit', minute: '2-digit' } as const;
  return date(at, { timeZone, ...day, ...(interval === 'hour' ? hour : {}) });
}
