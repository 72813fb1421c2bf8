import { Status, type Tone } from '../components/status';
import { en } from '../i18n/en';
import type { Webhook } from './api';
import type { DeliveryStatus } from './deliveries';
import { durationOf, healthOf, successOf, TONES } from './health';
import classes from './webhooks.module.css';

const words = en.webhooks;

const STATES: Record<Webhook['status'], Tone> = { active: 'ok', paused: 'off', disabled: 'bad' };
const STATUSES: Record<DeliveryStatus, Tone> = { pending: 'wait', succeeded: 'ok', failed: 'bad' };

/** Whether a webhook gets deliveries. */
export function StateOf({ webhook }: { webhook: Webhook }) {
  return <Status tone={STATES[webhook.status]}>{words.states[webhook.status]}</Status>;
}

/** How its receiver does: a word, and the figures behind it. */
export function HealthOf({ stats }: { stats: Webhook['stats'] }) {
  const health = healthOf(stats);
  const share = successOf(stats);
  return (
    <span className={classes.health}>
      <Status tone={TONES[health]}>{words.healths[health]}</Status>
      {share && (
        <span className="dimmed figures">
          {words.success(share, stats.succeeded_24h + stats.failed_24h)}
          {stats.p95_ms !== null && ` · ${words.p95} ${durationOf(stats.p95_ms)}`}
        </span>
      )}
    </span>
  );
}

/** How far a delivery is. */
export function DeliveryState({ status }: { status: DeliveryStatus }) {
  return <Status tone={STATUSES[status]}>{words.statuses[status]}</Status>;
}

/** The last answer to a delivery: its status, or that there was none. */
export function Answer({ status, tried }: { status: number | null; tried: boolean }) {
  if (status !== null) return <code>{status}</code>;
  return <span className="dimmed">{tried ? words.noAnswer : '–'}</span>;
}
