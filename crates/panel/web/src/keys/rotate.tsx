import { Button, Group, Input, Modal, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { absolute } from '../components/time';
import { en } from '../i18n/en';
import { type ApiKey, useRotateKey } from './api';
import { overlapEnd } from './life';
import { ShownOnce } from './shown-once';

const words = en.keys;
type Overlap = keyof typeof words.overlaps;

/** Replaces a key, and says until when both work. */
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
  const ends = absolute(new Date(overlapEnd(overlap, Date.now())).toISOString());
  return (
    <Modal
      opened={opened}
      onClose={close}
      size={520}
      title={rotate.data ? words.made : words.rotateTitle(apiKey.name)}
      closeButtonProps={{ 'aria-label': en.common.close }}
    >
      {rotate.data ? (
        <ShownOnce made={rotate.data} onDone={close} />
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
            {overlap === 'PT0S' ? words.overlapNow : words.overlapEnds(ends)}
          </Text>
          {rotate.error && <Failure error={rotate.error} />}
          <Group justify="flex-end" mt="lg" gap="xs">
            <Button variant="default" onClick={close}>
              {en.common.cancel}
            </Button>
            <Button
              loading={rotate.isPending}
              onClick={() => rotate.mutate({ id: apiKey.id, overlap })}
              data-autofocus
            >
              {words.rotateVerb}
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}
