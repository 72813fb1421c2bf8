import { type Decisions, SKIP } from './decisions';

/** The most tables that are remembered for a workspace in this browser. */
const MAX_TABLES = 20;
/** The first columns of a table of rejected rows. Its other columns are the columns of the rejected table. */
const REJECTION = ['line', 'column', 'code', 'message'];

/** The decisions for tables with these headings. It contains no cells of the table. */
interface Remembered {
  headings: string[];
  decisions: Decisions;
}

const keyOf = (ws: string) => `tidings-import-columns-${ws}`;

/**
 * The decisions of the last import with the same headings, without targets that no longer exist. Each import
 * asks for consent again. A refusal is recalled.
 */
export function recall(ws: string, headings: string[], exists: (target: string) => boolean): Decisions {
  const known = identity(headings);
  const found = read(ws).find((it) => it.headings.join('\n') === known.join('\n'));
  const valid = Object.entries(found?.decisions ?? {}).filter(
    ([heading, { target, format }]) =>
      headings.includes(heading) &&
      (target !== 'subscribed' || format === 'yes_no:inverted') &&
      (!target || target === SKIP || exists(target)),
  );
  return Object.fromEntries(valid);
}

/** Stores the decisions of an import for the next table with the same headings. */
export function remember(ws: string, headings: string[], decisions: Decisions): void {
  const known = identity(headings);
  const kept = Object.entries(decisions).map(([heading, { target, format }]) => [
    heading,
    { target, format },
  ]);
  const others = read(ws).filter((it) => it.headings.join('\n') !== known.join('\n'));
  const all = [{ headings: known, decisions: Object.fromEntries(kept) }, ...others].slice(0, MAX_TABLES);
  try {
    localStorage.setItem(keyOf(ws), JSON.stringify(all));
  } catch {
    // The browser refused to store them, so the next import asks again.
  }
}

/** The set of headings, in one order. */
function identity(headings: string[]): string[] {
  const isRejected = REJECTION.every((it, at) => headings[at] === it);
  return [...new Set(isRejected ? headings.slice(REJECTION.length) : headings)].sort();
}

function read(ws: string): Remembered[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(ws)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRemembered) : [];
  } catch {
    return [];
  }
}

function isRemembered(it: unknown): it is Remembered {
  const { headings, decisions } = (it ?? {}) as Partial<Remembered>;
  return Array.isArray(headings) && typeof decisions === 'object' && decisions !== null;
}
