import { LINES, type Overview, pointsOf, type Subject } from './series';

/** The series as CSV, with a line for each point and a column for each counter. */
export function csvOf(overview: Overview): string {
  const subjects = Object.keys(LINES) as Subject[];
  const columns = subjects.flatMap((subject) => LINES[subject].map((line) => `${subject}.${line}`));
  const points = subjects.map((subject) => pointsOf(overview, subject));
  const rows = overview.series.map(({ at }, row) =>
    [
      at,
      ...subjects.flatMap((subject, place) =>
        LINES[subject].map((line) => points[place]?.[row]?.[line] ?? 0),
      ),
    ].join(),
  );
  return `${[['at', ...columns].join(), ...rows].join('\r\n')}\r\n`;
}

/** The file name, with UTC dates: `tidings-analytics-2026-07-01-2026-07-31.csv`. */
export function nameOf({ from, to }: Overview): string {
  return `tidings-analytics-${from.slice(0, 10)}-${to.slice(0, 10)}.csv`;
}
