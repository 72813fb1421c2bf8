import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { GuardedModal } from '../components/guarded';
import { en } from '../i18n/en';

const words = en.inbox;

interface Props {
  opened: boolean;
  onClose: () => void;
  /** An instant to come. */
  onChoose: (at: string) => void;
}

/** Asks until when a conversation is to be out of sight, by the clock of who chooses. */
export function SnoozeUntil({ opened, onClose, onChoose }: Props) {
  const [text, setText] = useState('');
  const at = Date.parse(text);
  const past = text !== '' && at <= Date.now();
  return (
    <GuardedModal
      opened={opened}
      onClose={onClose}
      title={words.snooze}
      closeButtonProps={{ 'aria-label': en.common.close }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (Number.isNaN(at) || past) return;
          onClose();
          onChoose(new Date(at).toISOString());
        }}
      >
        <TextInput
          type="datetime-local"
          label={words.snoozeAt}
          value={text}
          error={past ? words.snoozePast : undefined}
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose}>
            {en.common.cancel}
          </Button>
          <Button type="submit" disabled={Number.isNaN(at) || past}>
            {words.snooze}
          </Button>
        </Group>
      </form>
    </GuardedModal>
  );
}
