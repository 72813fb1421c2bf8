const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** `12:41`. */
export function minuteOf(at: number | string): string {
  return TIME.format(new Date(at));
}

/** `24 Nov`. */
export function dateOf(at: number | string): string {
  return DATE.format(new Date(at));
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
