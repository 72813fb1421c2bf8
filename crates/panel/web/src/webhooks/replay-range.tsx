import { Button, Group, Input, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { GuardedModal } from '../components/guarded';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import type { Webhook } from './api';
import { useCount, useReplayRange } from './deliveries';
import { durationOfReplay, localOf, type Range, rangeOf, SPANS } from './range';
import classes from './webhooks.module.css';

const words = en.webhooks;

interface Props {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

/** Sends the deliveries of a time again, and says first how many there are. */
export function ReplayRange({ webhook, opened, onClose }: Props) {
  return (
    <GuardedModal
      opened={opened}
      onClose={onClose}
      size={560}
      title={words.replayTitle}
      closeButtonProps={{ 'aria-label': en.common.close }}
    >
      <Form webhook={webhook} onClose={onClose} />
    </GuardedModal>
  );
}

function Form({ webhook, onClose }: Omit<Props, 'opened'>) {
  const { workspace } = useWhere();
  const [since, setSince] = useState(() => localOf(Date.now() - SPANS.P1D));
  // The minute that is under way counts, too.
  const [until, setUntil] = useState(() => localOf(Date.now() + 60_000));
  const [status, setStatus] = useState<Range['status']>('failed');
  const range = rangeOf(since, until, status);
  const found = useCount(workspace.id, webhook.id, range);
  const replay = useReplayRange(workspace.id, webhook.id);
  const faults = faultsByField(replay.error);
  if (replay.data) {
    return (
      <>
        <Text role="status">{words.replaying}</Text>
        <Group justify="flex-end" mt="lg">
          <Button onClick={onClose}>{words.done}</Button>
        </Group>
      </>
    );
  }
  return (
    <>
      <Text>{words.replayHint}</Text>
      <div className={classes.times}>
        <TextInput
          type="datetime-local"
          label={words.from}
          value={since}
          error={faults.since}
          onChange={(event) => setSince(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={words.until}
          value={until}
          error={faults.until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      </div>
      <Input.Wrapper label={words.which} labelElement="div">
        <div>
          <SegmentedControl
            aria-label={words.which}
            value={status}
            data={Object.entries(words.whiches).map(([value, label]) => ({ value, label }))}
            onChange={(next) => setStatus(next as Range['status'])}
          />
        </div>
      </Input.Wrapper>
      <Text c="dimmed" mt="md" role="status">
        {range === undefined
          ? words.noSpan
          : found.data
            ? words.count(found.data.count, found.data.more, durationOfReplay(found.data.count))
            : words.counting}
      </Text>
      {found.error && <Failure error={found.error} retry={() => void found.refetch()} />}
      {replay.error && Object.keys(faults).length === 0 && <Failure error={replay.error} />}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {en.common.cancel}
        </Button>
        <Button
          loading={replay.isPending}
          disabled={!range || !found.data?.count}
          onClick={() => range && replay.mutate(range)}
        >
          {found.data?.count ? words.replayVerb(found.data.count, found.data.more) : words.replay}
        </Button>
      </Group>
    </>
  );
}
