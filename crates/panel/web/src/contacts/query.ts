import type { Condition } from '../conditions/grammar';
import type { ContactSearch, ContactSort } from './search';

/** How the API is asked for contacts: the list counts and knows words, the search knows conditions. */
export type Asked =
  | {
      by: 'list';
      q?: string;
      segment?: string;
      deleted?: 'only';
      sort: ContactSort;
    }
  | { by: 'search'; filter: Condition; sort: ContactSort };

/**
 * The request for what the address says. Words and a segment beside a condition become part of it, as the
 * search knows only that; `segment` is the condition of the segment, `undefined` while it is not known.
 */
export function asked(search: ContactSearch, segment: Condition | undefined): Asked | undefined {
  const sort = search.sort ?? '-created_at';
  const { q, filter, deleted } = search;
  if (!filter || deleted) return { by: 'list', q, segment: search.segment, deleted, sort };
  if (search.segment && !segment) return undefined;
  const parts = [filter, ...(segment ? [segment] : []), ...wordsAsConditions(q)];
  return { by: 'search', filter: parts.length === 1 ? filter : { all: parts }, sort };
}

/** Each word stands in the name, the e-mail address, the telephone number or the external id. */
export function wordsAsConditions(q: string | undefined): Condition[] {
  const words = (q ?? '').split(/\s+/).filter(Boolean);
  return words.map((value) => ({
    any: ['name', 'email', ...(/\d/.test(value) ? ['phone'] : []), 'external_id'].map((field) => ({
      field,
      op: 'contains' as const,
      value,
    })),
  }));
}

/** Sorting by a column: the usual direction first, then the other one. */
export function turned(current: ContactSort, column: 'name' | 'created_at' | 'last_message_at'): ContactSort {
  const first: ContactSort = column === 'name' ? 'name' : `-${column}`;
  const second: ContactSort = column === 'name' ? '-name' : column;
  return current === first ? second : first;
}
