import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Code } from '../components/code';
import { CopyButton } from '../components/copy';
import { GuardedModal } from '../components/guarded';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import type { Overlap } from '../webhooks/overlap';
import { type Channel, useRotateSecret } from './api';
import { OverlapForm, USUAL_OVERLAP } from './overlap-form';

const t = texts('channels');
const common = texts('common');

interface Props {
  channel: Channel;
  opened: boolean;
  onClose: () => void;
}

/** Replaces the signing secret of a channel, and shows the new one once. */
export function RotateSecret({ channel, opened, onClose }: Props) {
  const { workspace } = useWhere();
  const rotate = useRotateSecret(workspace.id, channel.id);
  const [overlap, setOverlap] = useState<Overlap>(USUAL_OVERLAP);
  const secret = rotate.data?.secret;
  const close = () => {
    onClose();
    rotate.reset();
  };
  return (
    <GuardedModal
      opened={opened}
      onClose={close}
      size={560}
      title={secret ? t('rotated') : t('rotate')}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      {secret ? (
        <>
          <Code text={secret} what={t('theSecret')} />
          <Text size="sm" c="dimmed" mt="xs">
            {t('secretOnce')}
          </Text>
          <Group justify="flex-end" mt="lg" gap="xs">
            <CopyButton text={secret} what={t('theSecret')} />
            <Button onClick={close}>{t('rotateDone')}</Button>
          </Group>
        </>
      ) : (
        <>
          <Text mb="md">{t('rotateHint')}</Text>
          <OverlapForm value={overlap} error={undefined} onChange={setOverlap} />
          {rotate.error && <Failure error={rotate.error} />}
          <Group justify="flex-end" mt="lg" gap="xs">
            <Button variant="default" onClick={close}>
              {common('cancel')}
            </Button>
            <Button loading={rotate.isPending} onClick={() => rotate.mutate(overlap)} data-autofocus>
              {t('rotateVerb')}
            </Button>
          </Group>
        </>
      )}
    </GuardedModal>
  );
}
