import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useObjectId } from '../app/search-state';
import { SandboxNotice } from '../channels/sandbox-notice';
import { Confirm } from '../components/confirm';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { Status } from '../components/status';
import { texts } from '../i18n/texts';
import { useBroadcast, useDeleteBroadcast, type Versioned } from './api';
import classes from './broadcasts.module.css';
import { type Broadcast, TONES } from './draft';
import { Facts } from './facts';
import { BroadcastForm } from './form';
import { PreviewCard } from './preview';
import { Progress, Turns } from './progress';
import { Recipients } from './recipients';
import { CopyButtons } from './repeat';
import { SendButton } from './send';
import { TestCard } from './test-card';

const t = texts('broadcasts');

/** Automation › Broadcasts › the broadcast in the address. */
export function BroadcastPage() {
  const id = useObjectId();
  return <OneBroadcast key={id} id={id} />;
}

export function OneBroadcast({ id }: { id: string }) {
  const { workspace } = useWhere();
  const asked = useBroadcast(workspace.id, id);
  const gone = asked.error instanceof Problem && asked.error.status === 404;
  if (asked.data && !gone) return <Shown of={asked.data} />;
  return (
    <Page title={t('title')}>
      {gone ? (
        <Empty title={t('gone')} action={<Link to="/broadcasts">{t('toList')}</Link>}>
          {t('goneHint')}
        </Empty>
      ) : asked.error ? (
        <Failure error={asked.error} retry={() => void asked.refetch()} />
      ) : (
        <Waiting />
      )}
    </Page>
  );
}

function Shown({ of }: { of: Versioned }) {
  const { role, administers } = useWhere();
  const { broadcast } = of;
  const [dirty, setDirty] = useState(false);
  const waits = waitsForEdit(broadcast);
  const edits = (broadcast.status === 'draft' || waits) && mayWrite(role);
  return (
    <Page
      title={broadcast.name}
      beside={<Status tone={TONES[broadcast.status]}>{t(`statuses.${broadcast.status}`)}</Status>}
      id={broadcast.id}
      call={{ path: `/api/v1/broadcasts/${broadcast.id}` }}
      action={
        <>
          {administers && !broadcast.started_at && <Delete broadcast={broadcast} />}
          {mayWrite(role) && <CopyButtons broadcast={broadcast} />}
          {edits && !waits && <SendButton of={of} dirty={dirty} />}
        </>
      }
    >
      <div className={classes.columns}>
        {edits ? (
          <>
            <BroadcastForm latest={of} onDirty={setDirty} />
            <div className={classes.side}>
              {waits && <Turns broadcast={broadcast} />}
              <PreviewCard broadcast={broadcast} />
              <TestCard id={broadcast.id} version={broadcast.version} dirty={dirty} />
            </div>
          </>
        ) : (
          <>
            {broadcast.status === 'draft' ? (
              <p className="dimmed">{t('readOnly')}</p>
            ) : (
              <div className={classes.side}>
                <Progress broadcast={broadcast} />
                {broadcast.started_at && <Recipients broadcast={broadcast} />}
              </div>
            )}
            <div className={classes.side}>
              <SandboxNotice of={channelsOf(broadcast)} />
              <Facts broadcast={broadcast} />
            </div>
          </>
        )}
      </div>
    </Page>
  );
}

/**
 * The channel of a broadcast. An ended broadcast may have used another default channel than the current one.
 */
const channelsOf = ({ channel_id, ended_at }: Broadcast) => (channel_id || !ended_at ? [channel_id] : []);

/** Whether the broadcast was paused before it started, because its audience became invalid. */
const waitsForEdit = ({ status, started_at }: Broadcast) => status === 'paused' && !started_at;

function Delete({ broadcast }: { broadcast: Broadcast }) {
  const { workspace } = useWhere();
  const navigate = useNavigate();
  const remove = useDeleteBroadcast(workspace.id, broadcast.id);
  const [asking, setAsking] = useState(false);
  if (!['draft', 'cancelled'].includes(broadcast.status) && !waitsForEdit(broadcast)) return null;
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          remove.reset();
          setAsking(true);
        }}
      >
        {t('delete')}
      </Button>
      <Confirm
        title={t('deleteQuestion', { name: broadcast.name })}
        verb={t('deleteVerb')}
        opened={asking}
        pending={remove.isPending}
        error={remove.error}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => void navigate({ to: '/broadcasts', ignoreBlocker: true }),
          })
        }
      >
        {t('deleteHint')}
      </Confirm>
    </>
  );
}
