import type { Condition } from '../conditions/grammar';
import type { ContactSearch, ContactSort } from './search';

/** The request for contacts. The list supports words and counts. The search supports conditions. */
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
 * The request for the search parameters. The search only supports conditions, so words and a segment are
 * added to the condition. `segment` is the segment's condition, or `undefined` while it is loading.
 */
export function asked(search: ContactSearch, segment: Condition | undefined): Asked | undefined {
  const sort = search.sort ?? '-created_at';
  const { q, filter, deleted } = search;
  if (!filter || deleted) return { by: 'list', q, segment: search.segment, deleted, sort };
  if (search.segment && !segment) return undefined;
  const parts = [filter, ...(segment ? [segment] : []), ...wordsAsConditions(q)];
  return { by: 'search', filter: parts.length === 1 ? filter : { all: parts }, sort };
}

/** Conditions for words: the name, email address, phone number or external ID must contain each word. */
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

/** The order after a click on a column: first its default direction, then the other. */
export function turned(current: ContactSort, column: 'name' | 'created_at' | 'last_message_at'): ContactSort {
  const first: ContactSort = column === 'name' ? 'name' : `-${column}`;
  const second: ContactSort = column === 'name' ? '-name' : column;
  return current === first ? second : first;
}
