import { Button, Group, Modal, Text } from '@mantine/core';
import { useWhere } from '../app/here';
import { texts } from '../i18n/texts';
import { Failure } from './states';

const common = texts('common');

interface Props {
  title: string;
  /** The effect of the action. */
  children: React.ReactNode;
  /** The label of the confirming button. */
  verb: string;
  opened: boolean;
  pending: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before an action that cannot be undone, and shows the workspace. */
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
