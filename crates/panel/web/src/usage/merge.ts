import type { Row } from './api';

/** Two lists as one: newest first, each request once. */
export function merged(fresh: Row[], known: Row[]): Row[] {
  return unique([...fresh, ...known]).sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** Each request once, in the order in which they first come. */
export function unique(rows: Row[]): Row[] {
  const seen = new Set<string>();
  return rows.filter(({ request_id }) => !seen.has(request_id) && seen.add(request_id));
}

/** Those that are not known yet. */
export function unknown(rows: Row[], known: Row[]): Row[] {
  const ids = new Set(known.map((it) => it.request_id));
  return rows.filter((it) => !ids.has(it.request_id));
}
