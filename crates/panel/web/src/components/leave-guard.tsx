import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { session } from '../app/session';
import { en } from '../i18n/en';

const words = en.workspace;

/** Asks before somebody leaves a page with what is not saved. */
export function LeaveGuard({ unsaved }: { unsaved: boolean }) {
  const blocker = useBlocker({
    withResolver: true,
    enableBeforeUnload: () => unsaved,
    shouldBlockFn: ({ current, next }) => {
      const elsewhere =
        current.pathname !== next.pathname || placeOf(current.search) !== placeOf(next.search);
      // Who signs out meant it, and a session that has ended cannot save.
      return unsaved && elsewhere && session.snapshot().state === 'in';
    },
  });
  const stay = () => blocker.reset?.();
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={stay}
      title={words.leaveTitle}
      closeButtonProps={{ 'aria-label': en.common.close }}
    >
      <Text>{words.leaveHint}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={stay} data-autofocus>
          {words.stay}
        </Button>
        <Button color="red.8" onClick={() => blocker.proceed?.()}>
          {words.leave}
        </Button>
      </Group>
    </Modal>
  );
}

function placeOf(search: object): string | undefined {
  return (search as { ws?: string }).ws;
}
