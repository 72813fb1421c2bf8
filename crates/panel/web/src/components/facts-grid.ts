/** A row has at most this number of figures. */
const MOST = 6;

/** The columns for a number of figures in rows of about the same length, and the columns of the last figure. */
export function gridOf(count: number): { columns: number; last: number } {
  const rows = Math.max(1, Math.ceil(count / MOST));
  const columns = Math.max(1, Math.ceil(count / rows));
  return { columns, last: rows * columns - count + 1 };
}
