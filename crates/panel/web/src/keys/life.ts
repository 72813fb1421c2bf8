import type { Tone } from '../components/status';
import { en } from '../i18n/en';

const DAY = 86_400_000;

/** How long a new key may live. */
export type Life = keyof typeof en.keys.lives;

/** When a key of this life ends; `null` for never. */
export function endOf(life: Life, now: number): string | null {
  const days = life === 'never' ? undefined : Number(/^P(\d+)D$/.exec(life)?.[1]);
  return days === undefined ? null : new Date(now + days * DAY).toISOString();
}

/** When an overlap ends that begins now. */
export function overlapEnd(overlap: keyof typeof en.keys.overlaps, now: number): number {
  return now + { PT0S: 0, PT1H: DAY / 24, P1D: DAY, P7D: 7 * DAY }[overlap];
}

/** What a key's end means today. */
export function stateOf(expires: string | null | undefined, now: number): { tone: Tone; word: string } {
  if (!expires) return { tone: 'ok', word: en.keys.active };
  const left = Date.parse(expires) - now;
  if (left <= 0) return { tone: 'off', word: en.keys.expired };
  return left <= 7 * DAY ? { tone: 'wait', word: en.keys.endsSoon } : { tone: 'ok', word: en.keys.active };
}
