const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * The ranges of flow statistics, in milliseconds. Without one, statistics cover the whole life of the flow,
 * at most 92 days.
 */
export const SPANS = { PT1H: HOUR, P1D: DAY, P7D: 7 * DAY, P30D: 30 * DAY, P90D: 90 * DAY } as const;
export type Span = keyof typeof SPANS;
