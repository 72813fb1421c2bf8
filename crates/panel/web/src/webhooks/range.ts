import { number } from '../i18n/format';

const HOUR = 3_600_000;

/** How far back deliveries are looked at. */
export const SPANS = { PT1H: HOUR, P1D: 24 * HOUR, P7D: 7 * 24 * HOUR, P30D: 30 * 24 * HOUR } as const;
export type Span = keyof typeof SPANS;

/** Which deliveries are to be sent again. */
export interface Range {
  since: string;
  until: string;
  status: 'failed' | 'succeeded';
}

/** When a span begins that ends now. */
export function beginOf(span: Span, now: number): string {
  return new Date(now - SPANS[span]).toISOString();
}

/** An instant as a field for local times has it: `2026-01-31T09:30`. */
export function localOf(at: number): string {
  const then = new Date(at);
  return new Date(at - then.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** What two local times and a status mean; nothing where they are no span. */
export function rangeOf(since: string, until: string, status: Range['status']): Range | undefined {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  if (Number.isNaN(from) || Number.isNaN(to) || from >= to) return undefined;
  return { since: new Date(from).toISOString(), until: new Date(to).toISOString(), status };
}

/** How long a replay of 50 deliveries per second takes: "3 seconds", "2 minutes". */
export function durationOfReplay(count: number): string {
  const seconds = Math.ceil(count / 50);
  return seconds < 90 ? inUnit(seconds, 'second') : inUnit(Math.ceil(seconds / 60), 'minute');
}

const inUnit = (value: number, unit: string) => number(value, { style: 'unit', unit, unitDisplay: 'long' });
