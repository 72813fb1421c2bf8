import type { Condition } from '../conditions/grammar';
import { number } from '../i18n/format';
import type { Segment } from './api';

/** What people edit of a segment. */
export interface SegmentDraft {
  name: string;
  condition: Condition;
}

/** How many a segment chooses, as far as it was counted. */
export function countOf({ contact_count, contact_count_is_capped }: Segment): string {
  return `${number(contact_count)}${contact_count_is_capped ? '+' : ''}`;
}

/** Whether a condition chooses everybody. */
export function isEverybody(condition: Condition): boolean {
  return 'all' in condition && condition.all.length === 0;
}

/** Some of whom a condition chooses: all of them where there are no more. */
export interface Sample<Row> {
  shown: Row[];
  /** So many at the least. */
  count: number;
  more: boolean;
}

const SHOWN = 5;

export function sampleOf<Row>(page: { data: Row[]; next_cursor?: string | null }): Sample<Row> {
  return { shown: page.data.slice(0, SHOWN), count: page.data.length, more: Boolean(page.next_cursor) };
}
