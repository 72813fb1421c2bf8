import { Button, Group, Text } from '@mantine/core';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { Details } from '../components/details';
import { Id } from '../components/id';
import { Failure, Waiting } from '../components/states';
import { day, timeOfDay } from '../components/time';
import { When } from '../components/when';
import { apiMessage } from '../i18n/api-messages';
import { texts } from '../i18n/texts';
import { AnswerParts } from './answer-parts';
import type { Webhook } from './api';
import { type Attempt, type DeliveryDetail, useDelivery, useReplay } from './deliveries';
import { durationOf } from './health';
import { isRetrying } from './progress';
import { RequestParts } from './request-parts';
import { Answer, DeliveryState, NextAttempt } from './state';
import classes from './webhooks.module.css';

const t = texts('webhooks');

/** A delivery: its status, the request, and each attempt with its response. */
export function DeliveryDetails({ webhook, id }: { webhook: Webhook; id: string }) {
  const { workspace } = useWhere();
  const asked = useDelivery(workspace.id, webhook.id, id);
  const replay = useReplay(workspace.id, webhook.id);
  if (asked.error instanceof Problem && asked.error.status === 404)
    return <Text c="dimmed">{t('gone')}</Text>;
  if (!asked.data) {
    return asked.error ? (
      <Failure error={asked.error} retry={() => void asked.refetch()} />
    ) : (
      <Waiting lines={8} />
    );
  }
  const delivery = asked.data;
  return (
    <>
      <Group justify="space-between" mb="sm" wrap="nowrap">
        <code>{delivery.event_type}</code>
        <Button variant="default" loading={replay.isPending} onClick={() => replay.mutate(id)}>
          {t('replay')}
        </Button>
      </Group>
      <div role="status">{replay.isSuccess && <Text mb="xs">{t('replayed')}</Text>}</div>
      {replay.error && <Failure error={replay.error} />}
      <Facts delivery={delivery} />
      <RequestParts webhook={webhook} delivery={delivery} />
      <p className={classes.part}>{t('attempts')}</p>
      {delivery.attempts.length === 0 && <Text c="dimmed">{t('noAttempts')}</Text>}
      {delivery.attempts.toReversed().map((attempt, at) => (
        <AttemptCard key={attempt.number} attempt={attempt} open={at === 0} />
      ))}
    </>
  );
}

function Facts({ delivery }: { delivery: DeliveryDetail }) {
  // While a delivery is retried, its status already contains the next attempt.
  const isShown = isRetrying(delivery) && delivery.next_attempt_at !== null;
  const next = delivery.next_attempt_at ? (
    <NextAttempt key="next" at={delivery.next_attempt_at} />
  ) : (
    t('waits')
  );
  return (
    <Details
      rows={[
        [t('status'), <DeliveryState key="status" delivery={delivery} />],
        [t('created'), <When key="made" at={delivery.created_at} />],
        ...(delivery.status === 'pending' && !isShown
          ? ([[t('nextAttempt'), next]] as [string, React.ReactNode][])
          : []),
        [t('event'), <Id key="event" id={delivery.event_id} />],
        [t('id'), <Id key="id" id={delivery.id} />],
      ]}
    />
  );
}

function AttemptCard({ attempt, open }: { attempt: Attempt; open: boolean }) {
  return (
    <details className={classes.attempt} open={open}>
      <summary>
        <b>{t('attempt', { number: attempt.number })}</b>
        <Answer status={attempt.status} tried />
        <span className="dimmed figures">{t('took', { duration: durationOf(attempt.duration_ms) })}</span>
        <time className={`mono-small dimmed ${classes.end}`} dateTime={attempt.at}>
          {day(attempt.at)}, {timeOfDay(attempt.at)}
        </time>
      </summary>
      <div className={classes.attemptBody}>
        {attempt.error && <p className={classes.error}>{apiMessage(attempt.error)}</p>}
        {attempt.status !== null && <AnswerParts headers={attempt.headers} body={attempt.body} />}
      </div>
    </details>
  );
}
