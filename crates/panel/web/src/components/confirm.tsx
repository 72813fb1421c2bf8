import { Button, Group, Modal, Text } from '@mantine/core';
import { useWhere } from '../app/here';
import { texts } from '../i18n/texts';
import { Failure } from './states';

const common = texts('common');

interface Props {
  title: string;
  /** What will happen, and what it reaches. */
  children: React.ReactNode;
  /** The verb on the button. */
  verb: string;
  opened: boolean;
  pending: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks once before what cannot be taken back, and says where it will happen. */
export function Confirm({ title, children, verb, opened, pending, error, onConfirm, onClose }: Props) {
  const { live, inSandbox } = useWhere();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <Text component="div">{children}</Text>
      <Text c="dimmed" mt="sm">
        {inSandbox ? common('sandboxOf', { workspace: live.name }) : live.name}
      </Text>
      {error != null && (
        <div style={{ marginTop: 16 }}>
          <Failure error={error} />
        </div>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {common('cancel')}
        </Button>
        <Button color="red.8" loading={pending} onClick={onConfirm}>
          {verb}
        </Button>
      </Group>
    </Modal>
  );
}
