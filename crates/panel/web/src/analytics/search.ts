const DAY = 86_400_000;

/** How far back one looks. */
export const RANGES = { P1D: DAY, P7D: 7 * DAY, P30D: 30 * DAY, P90D: 90 * DAY, P365D: 365 * DAY } as const;
export type Range = keyof typeof RANGES;

export const INTERVALS = ['hour', 'day', 'week'] as const;
export type Interval = (typeof INTERVALS)[number];

/** What the address of the page says. */
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

/** The intervals that the service counts a range by: at most 31 days by hour. */
export function intervalsFor(range: Range): Interval[] {
  return RANGES[range] <= 31 * DAY ? ['hour', 'day', 'week'] : ['day', 'week'];
}

/** The interval of a page: what was chosen where it is possible, else one that is easily read. */
export function intervalOf({ last = USUAL, by }: AnalyticsSearch): Interval {
  if (by && intervalsFor(last).includes(by)) return by;
  if (last === 'P1D') return 'hour';
  return last === 'P365D' ? 'week' : 'day';
}
