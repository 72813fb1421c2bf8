import type { en } from '../i18n/en';

/** For how long the secret so far signs beside a new one. */
export type Overlap = keyof typeof en.webhooks.overlaps;

const HOURS: Record<Overlap, number> = { PT0S: 0, PT1H: 1, PT24H: 24, P7D: 7 * 24 };

/** When an overlap ends that begins now. */
export function endOfOverlap(overlap: Overlap, now: number): string {
  return new Date(now + HOURS[overlap] * 3_600_000).toISOString();
}
