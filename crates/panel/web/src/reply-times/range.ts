import { clockIn, instantOf } from '../broadcasts/schedule';
import { hasOwnDays, type RepliesSearch, SPANS, USUAL } from './search';

const DAY = 86_400_000;
/** The longest range of the page, in days. */
export const LONGEST = 366;

/** A first and a last day. A day is absent while it is incomplete. */
export interface Days {
  from?: string;
  to?: string;
}

/** The first and the last day of the page. `now` is converted to the time zone. */
export function daysOf(search: RepliesSearch, zone: string, now: number): Days {
  if (hasOwnDays(search)) return { from: search.from, to: search.to };
  const today = clockIn(zone, new Date(now).toISOString()).slice(0, 10);
  return { from: later(today, 1 - SPANS[search.last ?? USUAL]), to: today };
}

/** The reason why the days are not a range, as the key of a text. */
export function faultOf({ from, to }: Days): 'incomplete' | 'reversed' | 'tooLong' | undefined {
  if (!from || !to) return 'incomplete';
  if (from > to) return 'reversed';
  return later(from, LONGEST - 1) < to ? 'tooLong' : undefined;
}

/** The range of these days in a time zone, as timestamps. `undefined` if the days are not a range. */
export function instantsOf(days: Days, zone: string): { from: string; to: string } | undefined {
  if (faultOf(days) || !days.from || !days.to) return undefined;
  const from = instantOf(zone, `${days.from}T00:00`);
  const to = instantOf(zone, `${later(days.to, 1)}T00:00`);
  return from && to ? { from, to } : undefined;
}

/** Adds days to a day. */
function later(from: string, days: number): string {
  return new Date(Date.parse(`${from}T00:00Z`) + days * DAY).toISOString().slice(0, 10);
}
