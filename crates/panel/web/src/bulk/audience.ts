import type { Condition } from '../conditions/grammar';
import { wordsAsConditions } from '../contacts/query';
import type { ContactSearch } from '../contacts/search';

/** Whom a change of many reaches: a condition, or all of a segment. */
export type Audience = Condition | { segment_id: string };

/** Everybody: it is asked for by its number, not by accident. */
export const EVERYBODY: Condition = { all: [] };

/**
 * Whom a list of contacts shows. Words and a segment beside a condition become part of it; `undefined` where
 * the list shows whom nothing can be done to, or the condition of the segment is not known yet.
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
