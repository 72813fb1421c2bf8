import { Button, Group, Text, Tooltip } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { SandboxNotice } from '../channels/sandbox-notice';
import { GuardedModal } from '../components/guarded';
import { Failure, Waiting } from '../components/states';
import { texts } from '../i18n/texts';
import { usePreview, useSend, type Versioned } from './api';
import classes from './broadcasts.module.css';
import { type Broadcast, reachOf } from './draft';
import { told } from './schedule';
import { useKeyOf } from './use-key';

const t = texts('broadcasts');
const common = texts('common');

/** Sends a draft after the user confirmed the number of recipients. */
export function SendButton({ of, dirty }: { of: Versioned; dirty: boolean }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Tooltip label={t('saveFirst')} disabled={!dirty}>
        <Button
          leftSection={<IconSend size={16} aria-hidden />}
          data-disabled={dirty || undefined}
          aria-disabled={dirty || undefined}
          onClick={() => !dirty && setAsking(true)}
        >
          {of.broadcast.scheduled_at ? t('sendAt') : t('send')}
        </Button>
      </Tooltip>
      <GuardedModal
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('sendTitle', { name: of.broadcast.name })}
      >
        <Question of={of} onDone={() => setAsking(false)} />
      </GuardedModal>
    </>
  );
}

/** The numbers of recipients before and after the audience changed. */
interface Changed {
  before: number;
  now: number;
}

function Question({ of: { broadcast, etag }, onDone }: { of: Versioned; onDone: () => void }) {
  const { workspace, live, inSandbox } = useWhere();
  const preview = usePreview(workspace.id, broadcast);
  const send = useSend(workspace.id, broadcast.id);
  const keyOf = useKeyOf();
  const [changed, setChanged] = useState<Changed>();
  if (preview.error) return <Failure error={preview.error} retry={() => void preview.refetch()} />;
  if (!preview.data) return <Waiting lines={3} />;
  const all = preview.data.contact_count;
  const get = reachOf(preview.data);
  const submit = () =>
    send.mutate(
      { expected: all, etag, key: keyOf([all, etag]) },
      {
        onSuccess: onDone,
        onError: (error) => {
          const now = countAfter(error);
          if (now === undefined) return;
          setChanged({ before: all, now });
          void preview.refetch();
        },
      },
    );
  const other = send.error && countAfter(send.error) === undefined ? send.error : undefined;
  return (
    <>
      <Text fw={600}>
        {get === all ? t('recipients', { count: all }) : t('recipientsOf', { reached: get, count: all })}
      </Text>
      <Text>
        {broadcast.scheduled_at
          ? t('sendLater', { time: told(workspace.time_zone, broadcast.scheduled_at) })
          : t('sendNow')}
      </Text>
      <Text c="dimmed" mt="sm">
        {inSandbox ? common('sandboxOf', { workspace: live.name }) : live.name}
      </Text>
      <SandboxNotice of={[broadcast.channel_id]} className={classes.gap} />
      {changed && (
        <div role="alert" className={classes.changed}>
          {t('audienceChanged', { before: changed.before, count: changed.now })}
        </div>
      )}
      {other && (
        <div className={classes.gap}>
          <Failure error={other} />
        </div>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onDone} data-autofocus>
          {common('cancel')}
        </Button>
        <Button loading={send.isPending || preview.isFetching} disabled={all === 0} onClick={submit}>
          {verbOf(broadcast, get)}
        </Button>
      </Group>
    </>
  );
}

/** The label of the button that sends a broadcast to `count` contacts. */
function verbOf({ scheduled_at, repeats }: Broadcast, count: number): string {
  if (scheduled_at) return t('scheduleVerb', { count });
  return repeats ? t('sendAgainVerb', { count }) : t('sendVerb', { count });
}

/** The current size of the audience if the request failed because the size changed. */
export function countAfter(error: unknown): number | undefined {
  if (!(error instanceof Problem) || error.code !== 'audience_changed') return undefined;
  return typeof error.more.count === 'number' ? error.more.count : undefined;
}
