import type { Tone } from '../components/status';
import { texts } from '../i18n/texts';
import type { Webhook } from './api';
import type { Delivery, DeliveryStatus } from './deliveries';
import { healthOf } from './health';

const t = texts('webhooks');

/** The number of attempts before a delivery fails, from the server's retry schedule. */
export const ATTEMPTS = 10;

const TONES: Record<DeliveryStatus, Tone> = { pending: 'wait', succeeded: 'ok', failed: 'bad' };

type Tried = Pick<Delivery, 'status' | 'attempt_count' | 'last_status'>;

/** Whether the last attempt failed and another one follows. */
export function isRetrying({ status, attempt_count: count, last_status: last }: Tried): boolean {
  const wasAccepted = last !== null && last >= 200 && last < 300;
  return status === 'pending' && count > 0 && !wasAccepted;
}

/** The status of a delivery in words, with its tone: "Retrying (1 of 10)" after a failed attempt. */
export function progressOf(delivery: Tried): { tone: Tone; text: string } {
  if (!isRetrying(delivery)) return { tone: TONES[delivery.status], text: t(`statuses.${delivery.status}`) };
  // A replay starts a new round of attempts, but the count includes earlier rounds.
  const attempt = delivery.attempt_count < ATTEMPTS ? delivery.attempt_count : undefined;
  return { tone: 'bad', text: attempt ? t('retryingOf', { attempt, all: ATTEMPTS }) : t('retrying') };
}

const STATES: Record<Webhook['status'], Tone> = { active: 'ok', paused: 'off', disabled: 'bad' };

/** The status of a webhook in words, with its tone. An active webhook is green only without failures. */
export function stateOf({ status, stats }: Pick<Webhook, 'status' | 'stats'>): { tone: Tone; text: string } {
  if (status !== 'active' || stats.failed_24h === 0)
    return { tone: STATES[status], text: t(`statuses.${status}`) };
  return healthOf(stats) === 'failing'
    ? { tone: 'bad', text: t('activeFailing') }
    : { tone: 'wait', text: t('activeUnsteady') };
}
