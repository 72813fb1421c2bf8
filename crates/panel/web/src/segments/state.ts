import type { Condition } from '../conditions/grammar';
import { number } from '../i18n/format';
import type { Segment } from './api';

/** The members of a segment that users edit. */
export interface SegmentDraft {
  name: string;
  condition: Condition;
}

/** The number of contacts, with a plus sign if it is capped. */
export function countOf({ contact_count, contact_count_is_capped }: Segment): string {
  return `${number(contact_count)}${contact_count_is_capped ? '+' : ''}`;
}

/** Whether a condition matches all contacts. */
export function isEverybody(condition: Condition): boolean {
  return 'all' in condition && condition.all.length === 0;
}

/** Some contacts that match a condition. */
export interface Sample<Row> {
  shown: Row[];
  /** The number of matching contacts. There are more if `more` is set. */
  count: number;
  more: boolean;
}

const SHOWN = 5;

export function sampleOf<Row>(page: { data: Row[]; next_cursor?: string | null }): Sample<Row> {
  return { shown: page.data.slice(0, SHOWN), count: page.data.length, more: Boolean(page.next_cursor) };
}
