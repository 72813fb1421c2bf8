import type { Tone } from '../components/status';
import { number } from '../i18n/format';
import type { Webhook } from './api';

/** The minimum shares of successful attempts for a healthy and for an unsteady receiver. */
const WELL = 0.99;
const FAIR = 0.9;

export type Health = 'quiet' | 'well' | 'unsteady' | 'failing';

/** The health of a receiver, by its attempts in the last 24 hours. */
export function healthOf({ succeeded_24h, failed_24h }: Webhook['stats']): Health {
  const all = succeeded_24h + failed_24h;
  if (all === 0) return 'quiet';
  const share = succeeded_24h / all;
  if (share >= WELL) return 'well';
  return share >= FAIR ? 'unsteady' : 'failing';
}

export const TONES: Record<Health, Tone> = { quiet: 'off', well: 'ok', unsteady: 'wait', failing: 'bad' };

/** The share of successful attempts: "99.2%", in German "99,2 %". It is rounded down, so only full success is 100 %. */
export function successOf({ succeeded_24h, failed_24h }: Webhook['stats']): string | undefined {
  const all = succeeded_24h + failed_24h;
  if (all === 0) return undefined;
  const share = Math.floor((succeeded_24h / all) * 1000) / 1000;
  return number(share, { style: 'percent', maximumFractionDigits: 1 });
}

const TENTHS = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** Formats a duration: "840 ms", "2.4 s". */
export function durationOf(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${number(ms / 1000, TENTHS)} s`;
}
