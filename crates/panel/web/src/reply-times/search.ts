import { day, oneOf } from '../app/search-params';

/** Ranges that end today, in days. */
export const SPANS = { P7D: 7, P30D: 30, P90D: 90 } as const;
export type Span = keyof typeof SPANS;
export const USUAL: Span = 'P30D';

/** The search parameters of the page: a span that ends today, or a first and a last day. */
export interface RepliesSearch {
  last?: Span;
  /** The first and the last day, both included, such as `2026-01-31`. */
  from?: string;
  to?: string;
}

/** Reads the search parameters and ignores invalid ones. */
export function readRepliesSearch(search: Record<string, unknown>): RepliesSearch {
  return {
    last: oneOf(Object.keys(SPANS) as Span[], search.last),
    from: day(search.from),
    to: day(search.to),
  };
}

/** Whether the user selected days instead of a span. */
export const hasOwnDays = ({ from, to }: RepliesSearch) => from !== undefined || to !== undefined;
