import { Button, Group, Input, Modal, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { absolute } from '../components/time';
import { en } from '../i18n/en';
import { useRotateSecret, type Webhook } from './api';
import { endOfOverlap, type Overlap } from './overlap';
import { SecretOnce } from './secret-once';

const words = en.webhooks;

interface Props {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

/** Replaces the secret, and says until when both sign. */
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
      title={rotate.data ? words.rotated : words.rotateTitle}
      closeButtonProps={{ 'aria-label': en.common.close }}
    >
      {rotate.data ? (
        <SecretOnce secret={rotate.data.secret ?? ''} verb={words.done} onDone={close} />
      ) : (
        <>
          <Text>{words.rotateHint}</Text>
          <Input.Wrapper label={words.overlap} mt="md" labelElement="div">
            <div>
              <SegmentedControl
                aria-label={words.overlap}
                value={overlap}
                onChange={(next) => setOverlap(next as Overlap)}
                data={Object.entries(words.overlaps).map(([value, label]) => ({ value, label }))}
              />
            </div>
          </Input.Wrapper>
          <Text c="dimmed" mt="xs">
            {overlap === 'PT0S'
              ? words.overlapNow
              : words.overlapEnds(absolute(endOfOverlap(overlap, Date.now())))}
          </Text>
          {rotate.error && <Failure error={rotate.error} />}
          <Group justify="flex-end" mt="lg" gap="xs">
            <Button variant="default" onClick={close}>
              {en.common.cancel}
            </Button>
            <Button loading={rotate.isPending} onClick={() => rotate.mutate(overlap)} data-autofocus>
              {words.rotateVerb}
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}
