import type { Tone } from '../components/status';
import { number } from '../i18n/format';
import type { Webhook } from './api';

/** Shares of attempts above which a receiver is well, or fails now and then. */
const WELL = 0.99;
const FAIR = 0.9;

export type Health = 'quiet' | 'well' | 'unsteady' | 'failing';

/** How a receiver does, by its attempts of the last 24 hours. */
export function healthOf({ succeeded_24h, failed_24h }: Webhook['stats']): Health {
  const all = succeeded_24h + failed_24h;
  if (all === 0) return 'quiet';
  const share = succeeded_24h / all;
  if (share >= WELL) return 'well';
  return share >= FAIR ? 'unsteady' : 'failing';
}

export const TONES: Record<Health, Tone> = { quiet: 'off', well: 'ok', unsteady: 'wait', failing: 'bad' };

/** The share of attempts that the receiver took: "99.2 %"; never rounded up to all of them. */
export function successOf({ succeeded_24h, failed_24h }: Webhook['stats']): string | undefined {
  const all = succeeded_24h + failed_24h;
  if (all === 0) return undefined;
  const share = Math.floor((succeeded_24h / all) * 1000) / 10;
  return `${number(share)} %`;
}

const TENTHS = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** "840 ms", "2.4 s". */
export function durationOf(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${number(ms / 1000, TENTHS)} s`;
}
