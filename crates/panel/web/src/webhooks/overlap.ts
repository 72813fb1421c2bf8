const HOURS = { PT0S: 0, PT1H: 1, PT24H: 24, P7D: 7 * 24 };

/** How long the old secret signs in addition to a new one. */
export type Overlap = keyof typeof HOURS;
export const OVERLAPS = Object.keys(HOURS) as Overlap[];

/** When an overlap ends that begins now. */
export function endOfOverlap(overlap: Overlap, now: number): string {
  return new Date(now + HOURS[overlap] * 3_600_000).toISOString();
}
