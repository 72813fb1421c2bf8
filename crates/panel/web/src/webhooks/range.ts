import { number } from '../i18n/format';

const HOUR = 3_600_000;

/** The selectable time ranges that end now, in milliseconds. */
export const SPANS = { PT1H: HOUR, P1D: 24 * HOUR, P7D: 7 * 24 * HOUR, P30D: 30 * 24 * HOUR } as const;
export type Span = keyof typeof SPANS;

/** The deliveries to replay. */
export interface Range {
  since: string;
  until: string;
  status: 'failed' | 'succeeded';
}

/** The start of a time range that ends now. */
export function beginOf(span: Span, now: number): string {
  return new Date(now - SPANS[span]).toISOString();
}

/** The local time in the format of a `datetime-local` field: `2026-01-31T09:30`. */
export function localOf(at: number): string {
  const then = new Date(at);
  return new Date(at - then.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The range between two local times. `undefined` if it is invalid or empty. */
export function rangeOf(since: string, until: string, status: Range['status']): Range | undefined {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  if (Number.isNaN(from) || Number.isNaN(to) || from >= to) return undefined;
  return { since: new Date(from).toISOString(), until: new Date(to).toISOString(), status };
}

/** The duration of a replay at 50 deliveries per second: "3 seconds", "2 minutes". */
export function durationOfReplay(count: number): string {
  const seconds = Math.ceil(count / 50);
  return seconds < 90 ? inUnit(seconds, 'second') : inUnit(Math.ceil(seconds / 60), 'minute');
}

const inUnit = (value: number, unit: string) => number(value, { style: 'unit', unit, unitDisplay: 'long' });
