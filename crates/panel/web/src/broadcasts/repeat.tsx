import { Alert, Button, Group, Text } from '@mantine/core';
import { IconCopy, IconRefresh } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { GuardedModal } from '../components/guarded';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import { useCreateBroadcast, useRepeat, type Versioned } from './api';
import { type Broadcast, draftOf } from './draft';
import { useKeyOf } from './use-key';

const t = texts('broadcasts');
const common = texts('common');

/** Whether some recipients of an ended broadcast may not have got its message. */
const isRepeatable = ({ started_at, ended_at, stats }: Broadcast) =>
  Boolean(started_at && ended_at) && stats.failed + stats.suppressed > 0;

/** Creates a copy, or a repeat for recipients who did not get the message, and opens its draft. */
export function CopyButtons({ broadcast }: { broadcast: Broadcast }) {
  const { workspace } = useWhere();
  const navigate = useNavigate();
  const copy = useCreateBroadcast(workspace.id);
  const repeat = useRepeat(workspace.id, broadcast.id);
  const keyOf = useKeyOf();
  const [asking, setAsking] = useState(false);
  const open = ({ broadcast: { id } }: Versioned) => void navigate({ to: '/broadcasts/$id', params: { id } });
  const duplicate = () => {
    const draft = { ...draftOf(broadcast), name: copyName(broadcast.name), scheduled_at: null };
    copy.mutate({ body: draft, key: keyOf(draft) }, { onSuccess: open });
  };
  return (
    <>
      {isRepeatable(broadcast) && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => {
            repeat.reset();
            setAsking(true);
          }}
        >
          {t('sendAgain')}
        </Button>
      )}
      {/* Not for a repeat: its audience alone would match all contacts. */}
      {!broadcast.repeats && (
        <Button
          variant="default"
          leftSection={<IconCopy size={16} aria-hidden />}
          loading={copy.isPending}
          onClick={duplicate}
        >
          {t('duplicate')}
        </Button>
      )}
      <GuardedModal opened={copy.error !== null} onClose={() => copy.reset()} title={t('duplicateFailed')}>
        <Failure error={copy.error} />
      </GuardedModal>
      <GuardedModal
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('repeatTitle', { name: broadcast.name })}
      >
        <Text>{t('repeatHint')}</Text>
        <Text mt="sm" mb="sm">
          {t('repeatNever')}
        </Text>
        {repeat.error && <Failure error={repeat.error} />}
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
            {common('cancel')}
          </Button>
          <Button
            loading={repeat.isPending}
            onClick={() => repeat.mutate({ key: keyOf(broadcast.id) }, { onSuccess: open })}
          >
            {t('createDraft')}
          </Button>
        </Group>
      </GuardedModal>
    </>
  );
}

/** The name of a copy, shortened to the maximum length. */
function copyName(name: string): string {
  const added = [...t('copyOf', { name: '' })].length;
  return t('copyOf', { name: [...name].slice(0, 100 - added).join('') });
}

/** A note that a repeat only includes recipients of the first broadcast. */
export function RepeatNote({ broadcast }: { broadcast: Broadcast }) {
  if (!broadcast.repeats) return null;
  return (
    <Alert color="gray" title={t('repeatOf')}>
      <p style={{ margin: '0 0 4px' }}>{t('repeatAudience')}</p>
      <Link to="/broadcasts/$id" params={{ id: broadcast.repeats }}>
        {t('toFirst')}
      </Link>
    </Alert>
  );
}
