import { Button, Group, Modal, Text } from '@mantine/core';
import { texts } from '../i18n/texts';

const common = texts('common');

interface Props {
  opened: boolean;
  title: string;
  hint: string;
  stay: string;
  leave: string;
  onStay: () => void;
  onLeave: () => void;
}

/**
 * Asks before unsaved input is lost. Escape keeps the input. The dialog only handles an Escape in itself: the
 * Escape that opens it also reaches the handlers of the window, which would close it at once.
 */
export function AskDiscard({ opened, title, hint, stay, leave, onStay, onLeave }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onStay}
      closeOnEscape={false}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        event.stopPropagation();
        onStay();
      }}
      title={title}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <Text>{hint}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onStay} data-autofocus>
          {stay}
        </Button>
        <Button color="red.8" onClick={onLeave}>
          {leave}
        </Button>
      </Group>
    </Modal>
  );
}
