import { Button, Group, Text, Title } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { sentence } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Confirm } from '../components/confirm';
import { Failure } from '../components/states';
import { number } from '../i18n/format';
import { errorMessage } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import { useTurn } from './api';
import classes from './broadcasts.module.css';
import { type Broadcast, doneOf, percentOf, type Stats } from './draft';
import { told } from './schedule';

const t = texts('broadcasts');

const FIGURES: (keyof Stats)[] = [
  'targeted',
  'sent',
  'delivered',
  'read',
  'failed',
  'suppressed',
  'uncertain',
];

/** The progress of a broadcast, with buttons to pause, resume and cancel it. */
export function Progress({ broadcast }: { broadcast: Broadcast }) {
  const { workspace } = useWhere();
  const { stats, status, error } = broadcast;
  const percent = percentOf(stats);
  return (
    <section className={classes.card} aria-labelledby="progress">
      <div className={classes.cardHead}>
        <Title order={2} id="progress">
          {t('progress')}
        </Title>
        <Turns broadcast={broadcast} />
      </div>
      {error && (
        <Text role="alert" c="var(--bad)" mb="sm">
          {t('failedBecause', { reason: sentence(errorMessage(error)) })}
        </Text>
      )}
      {status === 'scheduled' && broadcast.scheduled_at && (
        <Text mb="sm">{t('startsAt', { time: told(workspace.time_zone, broadcast.scheduled_at) })}</Text>
      )}
      {broadcast.started_at && (
        <>
          <div
            className={classes.bar}
            role="progressbar"
            aria-label={t('progress')}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <span data-part="sent" style={{ width: shareOf(stats.sent, stats) }} />
            <span data-part="failed" style={{ width: shareOf(stats.failed, stats) }} />
            <span data-part="suppressed" style={{ width: shareOf(stats.suppressed, stats) }} />
          </div>
          <p className={classes.hint}>{t('processed', { done: doneOf(stats), count: stats.targeted })}</p>
        </>
      )}
      <dl className={classes.figures}>
        {FIGURES.map((key) => (
          <div key={key} data-bad={(key === 'failed' && stats.failed > 0) || undefined}>
            <dt>{t(`stats.${key}`)}</dt>
            <dd className="figures">{broadcast.started_at ? number(stats[key]) : '–'}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const shareOf = (count: number, { targeted }: Stats) =>
  `${targeted === 0 ? 0 : Math.min(100, (count / targeted) * 100)}%`;

export function Turns({ broadcast }: { broadcast: Broadcast }) {
  const { workspace, role } = useWhere();
  const turn = useTurn(workspace.id, broadcast.id);
  const [asking, setAsking] = useState(false);
  const { status } = broadcast;
  if (!mayWrite(role) || !['scheduled', 'sending', 'paused'].includes(status)) return null;
  const pending = (which: string) => turn.isPending && turn.variables === which;
  return (
    <div>
      <Group gap="xs">
        {status === 'sending' && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlayerPause size={14} aria-hidden />}
            loading={pending('pause')}
            onClick={() => turn.mutate('pause')}
          >
            {t('pause')}
          </Button>
        )}
        {status === 'paused' && (
          <Button
            size="xs"
            leftSection={<IconPlayerPlay size={14} aria-hidden />}
            loading={pending('resume')}
            onClick={() => turn.mutate('resume')}
          >
            {t('resume')}
          </Button>
        )}
        <Button
          size="xs"
          variant="outline"
          color="var(--bad)"
          onClick={() => {
            turn.reset();
            setAsking(true);
          }}
        >
          {t('cancel')}
        </Button>
      </Group>
      {turn.error && turn.variables !== 'cancel' && (
        <div className={classes.gap}>
          <Failure error={turn.error} />
        </div>
      )}
      <Confirm
        title={t('cancelTitle', { name: broadcast.name })}
        verb={t('cancelVerb')}
        opened={asking}
        pending={pending('cancel')}
        error={turn.variables === 'cancel' ? turn.error : null}
        onClose={() => setAsking(false)}
        onConfirm={() => turn.mutate('cancel', { onSuccess: () => setAsking(false) })}
      >
        {t('cancelHint')}
      </Confirm>
    </div>
  );
}
