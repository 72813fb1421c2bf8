import { Button, Group, Input, Modal, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { dayAndTime } from '../components/time';
import { texts } from '../i18n/texts';
import { useRotateSecret, type Webhook } from './api';
import { endOfOverlap, OVERLAPS, type Overlap } from './overlap';
import { SecretOnce } from './secret-once';

const t = texts('webhooks');

interface Props {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

/** Rotates the secret and selects the overlap, while both secrets sign. */
export function RotateSecret({ webhook, opened, onClose }: Props) {
  const { workspace } = useWhere();
  const rotate = useRotateSecret(workspace.id, webhook.id);
  const [overlap, setOverlap] = useState<Overlap>('PT24H');
  const close = () => {
    onClose();
    rotate.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      size={rotate.data ? 640 : 520}
      title={rotate.data ? t('rotated') : t('rotate')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {rotate.data ? (
        <SecretOnce secret={rotate.data.secret ?? ''} verb={t('done')} onDone={close} />
      ) : (
        <>
          <Text>{t('rotateHint')}</Text>
          <Input.Wrapper label={t('overlap')} mt="md" labelElement="div">
            <div>
              <SegmentedControl
                aria-label={t('overlap')}
                value={overlap}
                onChange={(next) => setOverlap(next as Overlap)}
                data={OVERLAPS.map((value) => ({ value, label: t(`overlaps.${value}`) }))}
              />
            </div>
          </Input.Wrapper>
          <Text c="dimmed" mt="xs">
            {overlap === 'PT0S'
              ? t('overlapNow')
              : t('overlapEnds', { time: dayAndTime(endOfOverlap(overlap, Date.now())) })}
          </Text>
          {rotate.error && <Failure error={rotate.error} />}
          <Group justify="flex-end" mt="lg" gap="xs">
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button loading={rotate.isPending} onClick={() => rotate.mutate(overlap)} data-autofocus>
              {t('rotateVerb')}
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}
