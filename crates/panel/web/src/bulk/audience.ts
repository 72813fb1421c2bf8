import type { Condition } from '../conditions/grammar';
import { wordsAsConditions } from '../contacts/query';
import type { ContactSearch } from '../contacts/search';

/** The contacts of a bulk operation: a condition or a segment. */
export type Audience = Condition | { segment_id: string };

/** A condition that matches all contacts. The API accepts it only with the expected number. */
export const EVERYBODY: Condition = { all: [] };

/**
 * The audience that matches a list of contacts. Words and a segment are combined with the condition.
 * `undefined` if the list shows deleted contacts, or if the segment's condition is not loaded yet.
 */
export function audienceOf(search: ContactSearch, segment: Condition | undefined): Audience | undefined {
  if (search.deleted) return undefined;
  const parts = [...(search.filter ? [search.filter] : []), ...wordsAsConditions(search.q)];
  if (search.segment && parts.length === 0) return { segment_id: search.segment };
  if (search.segment && !segment) return undefined;
  if (segment) parts.push(segment);
  const [only, ...others] = parts;
  return others.length > 0 ? { all: parts } : (only ?? EVERYBODY);
}
