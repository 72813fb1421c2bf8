import type { components } from '../api/schema';
import { date } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Interval } from './search';

export type Overview = components['schemas']['AnalyticsOverview'];
export type Subject = keyof Overview['totals'];

const t = texts('analytics');

/** The lines of each chart, in the order of the legend. */
export const LINES: Record<Subject, string[]> = {
  messages: ['received', 'sent', 'delivered', 'read', 'failed', 'suppressed'],
  contacts: ['created', 'unsubscribed', 'deleted', 'restored'],
  conversations: ['created', 'resolved'],
  flows: ['started', 'completed', 'failed'],
  sequences: ['enrolled', 'completed', 'exited'],
  broadcasts: ['completed', 'sent', 'delivered', 'read', 'failed', 'suppressed'],
  webhooks: ['delivered', 'failed'],
};

export const nameOfLine = (line: string) => t.find('statuses', line) ?? line;

/** The lines that count failures. */
export const BAD = ['failed'];

/** A point of a chart: its start and its counts. */
export type Point = { at: string } & Record<string, number | string>;

export function pointsOf({ series }: Pick<Overview, 'series'>, subject: Subject): Point[] {
  return series.map((point) => ({ at: point.at, ...(point[subject] as Record<string, number>) }));
}

type Totals = Pick<Overview, 'totals'>;

export function totalsOf(overview: Totals, subject: Subject): Record<string, number> {
  return overview.totals[subject] as Record<string, number>;
}

/** The lines of a subject with a count above zero, or all lines if there are none. */
export function linesOf(overview: Totals, subject: Subject): string[] {
  const totals = totalsOf(overview, subject);
  const some = LINES[subject].filter((it) => (totals[it] ?? 0) > 0);
  return some.length > 0 ? some : LINES[subject];
}

export function hasAny(overview: Overview, subject: Subject): boolean {
  return LINES[subject].some((it) => (totalsOf(overview, subject)[it] ?? 0) > 0);
}

/** The start of a point in the time zone: the day, and the hour if the interval is an hour. */
export function labelOf(at: string, interval: Interval, timeZone: string): string {
  const day = { day: 'numeric', month: 'short' } as const;
  const hour = { hour: '2-digit', minute: '2-digit' } as const;
  return date(at, { timeZone, ...day, ...(interval === 'hour' ? hour : {}) });
}
