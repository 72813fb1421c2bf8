import { clockTime, date } from '../i18n/format';

/** `12:41`. */
export function minuteOf(at: number | string): string {
  return clockTime(at);
}

/** `24 Nov`. */
export function dateOf(at: number | string): string {
  return date(at, { day: 'numeric', month: 'short' });
}

/** `24 Nov, 12:05 – 12:10`; the day of the end only where it is another one. */
export function spanText(from: number | string, to: number | string): string {
  const [begin, end] = [dateOf(from), dateOf(to)];
  const last = begin === end ? minuteOf(to) : `${end}, ${minuteOf(to)}`;
  return `${begin}, ${minuteOf(from)} – ${last}`;
}

/** Rows with the day that stands above the first of each; none above the first where it is today. */
export function withDays<R extends { at: string }>(rows: R[], now: number): { row: R; day?: string }[] {
  let last = dateOf(now);
  return rows.map((row) => {
    const day = dateOf(row.at);
    if (day === last) return { row };
    last = day;
    return { row, day };
  });
}
