import type { Row } from './api';

/** Merges two lists: newest first, each request once. */
export function merged(fresh: Row[], known: Row[]): Row[] {
  return unique([...fresh, ...known]).sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** Removes duplicates and keeps the order. */
export function unique(rows: Row[]): Row[] {
  const seen = new Set<string>();
  return rows.filter(({ request_id }) => !seen.has(request_id) && seen.add(request_id));
}

/** The rows that are not known yet. */
export function unknown(rows: Row[], known: Row[]): Row[] {
  const ids = new Set(known.map((it) => it.request_id));
  return rows.filter((it) => !ids.has(it.request_id));
}
