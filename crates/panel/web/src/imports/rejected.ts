import Papa from 'papaparse';

/** A reason why rows were rejected or cells were skipped. */
export interface Reason {
  /** The heading of the column. Empty if the reason is about the whole row. */
  column: string;
  code: string;
  isSkipped: boolean;
  count: number;
  /** The first case. */
  line: string;
  message: string;
}

const SKIPPED = /^The cell was skipped: /i;

/** Groups the table of rejected rows by column and code, the most frequent reason first. */
export function reasonsOf(table: string, isWhole: boolean): Reason[] {
  const [, ...records] = recordsOf(table);
  // The last record of a table that was not read to its end can be incomplete.
  const complete = isWhole ? records : records.slice(0, -1);
  const found = new Map<string, Reason>();
  for (const [line = '', column = '', code = '', text = ''] of complete) {
    const isSkipped = SKIPPED.test(text);
    const key = JSON.stringify([column, code, isSkipped]);
    const first = { column, code, isSkipped, count: 0, line, message: text.replace(SKIPPED, '') };
    const reason = found.get(key) ?? first;
    reason.count += 1;
    found.set(key, reason);
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

/** The records of a table that the server wrote (RFC 4180, with commas). */
export function recordsOf(table: string): string[][] {
  return Papa.parse<string[]>(table, { delimiter: ',', skipEmptyLines: true }).data;
}
