import { clockTime, date } from '../i18n/format';

/** Formats a time: `12:41`. */
export function minuteOf(at: number | string): string {
  return clockTime(at);
}

/** Formats a day: `24 Nov`. */
export function dateOf(at: number | string): string {
  return date(at, { day: 'numeric', month: 'short' });
}

/** Formats a time range: `24 Nov, 12:05 – 12:10`. The second day is omitted if it is the same. */
export function spanText(from: number | string, to: number | string): string {
  const [begin, end] = [dateOf(from), dateOf(to)];
  const last = begin === end ? minuteOf(to) : `${end}, ${minuteOf(to)}`;
  return `${begin}, ${minuteOf(from)} – ${last}`;
}

/** Adds the day to the first row of each day, except today's. */
export function withDays<R extends { at: string }>(rows: R[], now: number): { row: R; day?: string }[] {
  let last = dateOf(now);
  return rows.map((row) => {
    const day = dateOf(row.at);
    if (day === last) return { row };
    last = day;
    return { row, day };
  });
}
