import { Button, Group, Input, Modal, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { dayAndTime } from '../components/time';
import { texts } from '../i18n/texts';
import { type ApiKey, useRotateKey } from './api';
import { OVERLAPS, type Overlap, overlapEnd } from './life';
import { ShownOnce } from './shown-once';

const t = texts('keys');

/** Replaces a key and selects the overlap, while both keys work. */
export function RotateKey({
  apiKey,
  opened,
  onClose,
}: {
  apiKey: ApiKey;
  opened: boolean;
  onClose: () => void;
}) {
  const { workspace } = useWhere();
  const rotate = useRotateKey(workspace.id);
  const [overlap, setOverlap] = useState<Overlap>('P1D');
  const close = () => {
    onClose();
    rotate.reset();
  };
  const ends = dayAndTime(new Date(overlapEnd(overlap, Date.now())).toISOString());
  return (
    <Modal
      opened={opened}
      onClose={close}
      size={520}
      title={rotate.data ? t('created') : t('rotateTitle', { name: apiKey.name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {rotate.data ? (
        <ShownOnce made={rotate.data} onDone={close} />
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
            {overlap === 'PT0S' ? t('overlapNow') : t('overlapEnds', { time: ends })}
          </Text>
          {rotate.error && <Failure error={rotate.error} />}
          <Group justify="flex-end" mt="lg" gap="xs">
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button
              loading={rotate.isPending}
              onClick={() => rotate.mutate({ id: apiKey.id, overlap })}
              data-autofocus
            >
              {t('rotateVerb')}
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}
