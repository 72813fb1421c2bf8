const DAY = 86_400_000;

/** The selectable ranges, in milliseconds. */
export const RANGES = { P1D: DAY, P7D: 7 * DAY, P30D: 30 * DAY, P90D: 90 * DAY, P365D: 365 * DAY } as const;
export type Range = keyof typeof RANGES;

export const INTERVALS = ['hour', 'day', 'week'] as const;
export type Interval = (typeof INTERVALS)[number];

/** The search parameters of the page. */
export interface AnalyticsSearch {
  last?: Range;
  by?: Interval;
  zone?: string;
}

export const USUAL: Range = 'P30D';

export function readAnalyticsSearch(search: Record<string, unknown>): AnalyticsSearch {
  return {
    last: (Object.keys(RANGES) as Range[]).find((it) => it === search.last),
    by: INTERVALS.find((it) => it === search.by),
    zone: typeof search.zone === 'string' && search.zone !== '' ? search.zone : undefined,
  };
}

/** The intervals that the server supports for a range. Hours are supported for at most 31 days. */
export function intervalsFor(range: Range): Interval[] {
  return RANGES[range] <= 31 * DAY ? ['hour', 'day', 'week'] : ['day', 'week'];
}

/** The chosen interval if the range supports it, otherwise a readable default. */
export function intervalOf({ last = USUAL, by }: AnalyticsSearch): Interval {
  if (by && intervalsFor(last).includes(by)) return by;
  if (last === 'P1D') return 'hour';
  return last === 'P365D' ? 'week' : 'day';
}
