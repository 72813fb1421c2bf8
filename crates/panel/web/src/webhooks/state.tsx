import { useNow } from '../components/clock';
import { Status } from '../components/status';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import type { Webhook } from './api';
import type { Delivery } from './deliveries';
import { durationOf, healthOf, successOf, TONES } from './health';
import { isRetrying, progressOf, stateOf } from './progress';
import classes from './webhooks.module.css';

const t = texts('webhooks');

/** The status of a webhook, and whether its deliveries fail. */
export function StateOf({ webhook }: { webhook: Webhook }) {
  const { tone, text } = stateOf(webhook);
  return <Status tone={tone}>{text}</Status>;
}

/** The health of the receiver, with its numbers. */
export function HealthOf({ stats }: { stats: Webhook['stats'] }) {
  const health = healthOf(stats);
  const share = successOf(stats);
  return (
    <span className={classes.health}>
      <Status tone={TONES[health]}>{t(`healths.${health}`)}</Status>
      {share && (
        <span className="dimmed figures">
          {t('success', { share, attempts: stats.succeeded_24h + stats.failed_24h })}
          {stats.p95_ms !== null && ` · ${t('p95', { duration: durationOf(stats.p95_ms) })}`}
        </span>
      )}
    </span>
  );
}

/** The status of a delivery, with the next attempt if the last one failed. */
export function DeliveryState({ delivery }: { delivery: Delivery }) {
  const { tone, text } = progressOf(delivery);
  const next = isRetrying(delivery) && delivery.next_attempt_at;
  return (
    <span className={classes.health}>
      <Status tone={tone}>{text}</Status>
      {next && <span className="dimmed">{t.rich('nextShort', { time: <NextAttempt at={next} /> })}</span>}
    </span>
  );
}

/** The time of the next attempt. If it is due, the server makes it within seconds. */
export function NextAttempt({ at }: { at: string }) {
  const now = useNow();
  return Date.parse(at) <= now ? t('due') : <When at={at} canBeFuture />;
}

/** The status code of the last response, or a note that there was none. */
export function Answer({ status, tried }: { status: number | null; tried: boolean }) {
  if (status !== null) return <code>{status}</code>;
  return <span className="dimmed">{tried ? t('noResponse') : '–'}</span>;
}
