const HOURS = { PT0S: 0, PT1H: 1, PT24H: 24, P7D: 7 * 24 };

/** The time after a rotation while the old secret also signs. */
export type Overlap = keyof typeof HOURS;
export const OVERLAPS = Object.keys(HOURS) as Overlap[];

/** The end of an overlap that begins now. */
export function endOfOverlap(overlap: Overlap, now: number): string {
  return new Date(now + HOURS[overlap] * 3_600_000).toISOString();
}
