import { Button, Group, Input, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { useNow } from '../components/clock';
import { DateInput } from '../components/date-input';
import { GuardedModal } from '../components/guarded';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import type { Webhook } from './api';
import { useCount, useReplayRange } from './deliveries';
import { durationOfReplay, localOf, type Range, rangeOf, SPANS } from './range';
import classes from './webhooks.module.css';

const t = texts('webhooks');
const STATUSES = ['failed', 'succeeded'] as const;

interface Props {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

/** Replays the deliveries of a time range, after showing their number. */
export function ReplayRange({ webhook, opened, onClose }: Props) {
  return (
    <GuardedModal opened={opened} onClose={onClose} size={560} title={t('replayPeriod')}>
      <Form webhook={webhook} onClose={onClose} />
    </GuardedModal>
  );
}

function Form({ webhook, onClose }: Omit<Props, 'opened'>) {
  const { workspace } = useWhere();
  const now = useNow();
  const [since, setSince] = useState(() => localOf(now - SPANS.P1D));
  // The range includes the current minute.
  const [until, setUntil] = useState(() => localOf(now + 60_000));
  const [status, setStatus] = useState<Range['status']>('failed');
  const range = rangeOf(since, until, status);
  const found = useCount(workspace.id, webhook.id, range);
  const replay = useReplayRange(workspace.id, webhook.id);
  const faults = faultsByField(replay.error);
  if (replay.data) {
    return (
      <>
        <Text role="status">{t('replaying')}</Text>
        <Group justify="flex-end" mt="lg">
          <Button onClick={onClose}>{t('done')}</Button>
        </Group>
      </>
    );
  }
  return (
    <>
      <Text>{t('replayHint')}</Text>
      <div className={classes.times}>
        <DateInput timed label={t('from')} value={since} error={faults.since} onChange={setSince} />
        <DateInput timed label={t('until')} value={until} error={faults.until} onChange={setUntil} />
      </div>
      <Input.Wrapper label={t('status')} labelElement="div">
        <div>
          <SegmentedControl
            aria-label={t('status')}
            value={status}
            data={STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
            onChange={(next) => setStatus(next as Range['status'])}
          />
        </div>
      </Input.Wrapper>
      <Text c="dimmed" mt="md" role="status">
        {range === undefined ? t('noPeriod') : found.data ? countOf(found.data) : t('counting')}
      </Text>
      {found.error && <Failure error={found.error} retry={() => void found.refetch()} />}
      {replay.error && Object.keys(faults).length === 0 && <Failure error={replay.error} />}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          loading={replay.isPending}
          disabled={!range || !found.data?.count}
          onClick={() => range && replay.mutate(range)}
        >
          {found.data?.count ? verbOf(found.data) : t('replay')}
        </Button>
      </Group>
    </>
  );
}

interface Count {
  count: number;
  more: boolean;
}

function countOf({ count, more }: Count): string {
  if (count === 0) return t('countNone');
  if (more) return t('countMore', { deliveries: count });
  return t('count', { count, duration: durationOfReplay(count) });
}

function verbOf({ count, more }: Count): string {
  return more ? t('replayAll') : t('replayCount', { count });
}
