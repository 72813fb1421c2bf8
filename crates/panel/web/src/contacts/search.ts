import type { components } from '../api/schema';
import { oneOf, text } from '../app/search-params';
import type { Condition } from '../conditions/grammar';

export type ContactSort = components['schemas']['ContactSort'];

export const SORTS: ContactSort[] = [
  '-created_at',
  'created_at',
  '-updated_at',
  'updated_at',
  '-last_message_at',
  'last_message_at',
  'name',
  '-name',
];

export interface ContactSearch {
  q?: string;
  /** The default is `-created_at`. */
  sort?: ContactSort;
  segment?: string;
  filter?: Condition;
  deleted?: 'only';
  create?: boolean;
  /** The open dialog for bulk operations: `new`, or the ID of an operation. */
  bulk?: string;
}

/** Reads the search parameters and ignores invalid ones. */
export function readContactSearch(search: Record<string, unknown>): ContactSearch {
  const { filter } = search;
  return {
    q: text(search.q) ?? (typeof search.q === 'number' ? String(search.q) : undefined),
    sort: oneOf(SORTS, search.sort),
    segment: text(search.segment),
    filter: isCondition(filter) ? filter : undefined,
    deleted: search.deleted === 'only' ? 'only' : undefined,
    create: search.create === true || undefined,
    bulk: text(search.bulk),
  };
}

/** Whether a value has the structure of a condition. Fields are not checked. */
export function isCondition(value: unknown, depth = 0): value is Condition {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 12) return false;
  const it = value as Record<string, unknown>;
  const inside = (each: unknown) => isCondition(each, depth + 1);
  if ('all' in it) return Array.isArray(it.all) && it.all.every(inside);
  if ('any' in it) return Array.isArray(it.any) && it.any.every(inside);
  if ('not' in it) return inside(it.not);
  return typeof it.field === 'string' && typeof it.op === 'string';
}
