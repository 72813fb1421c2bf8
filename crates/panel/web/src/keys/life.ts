import type { Tone } from '../components/status';
import { texts } from '../i18n/texts';

const t = texts('keys');

const DAY = 86_400_000;

export const LIVES = ['P30D', 'P90D', 'P365D', 'never'] as const;
export type Life = (typeof LIVES)[number];

export const OVERLAPS = ['PT0S', 'PT1H', 'P1D', 'P7D'] as const;
/** The lifetime of the old key after a rotation. */
export type Overlap = (typeof OVERLAPS)[number];

/** The expiry of a key with this lifetime, or `null` if it does not expire. */
export function endOf(life: Life, now: number): string | null {
  const days = life === 'never' ? undefined : Number(/^P(\d+)D$/.exec(life)?.[1]);
  return days === undefined ? null : new Date(now + days * DAY).toISOString();
}

/** The end of an overlap that begins now. */
export function overlapEnd(overlap: Overlap, now: number): number {
  return now + { PT0S: 0, PT1H: DAY / 24, P1D: DAY, P7D: 7 * DAY }[overlap];
}

/** The status of a key by its expiry. */
export function stateOf(expires: string | null | undefined, now: number): { tone: Tone; word: string } {
  if (!expires) return { tone: 'ok', word: t('active') };
  const left = Date.parse(expires) - now;
  if (left <= 0) return { tone: 'off', word: t('statuses.expired') };
  return left <= 7 * DAY
    ? { tone: 'wait', word: t('statuses.expiresSoon') }
    : { tone: 'ok', word: t('active') };
}
