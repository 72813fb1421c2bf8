import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { DateInput } from '../components/date-input';
import { GuardedModal } from '../components/guarded';
import { SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';

const t = texts('inbox');

interface Props {
  opened: boolean;
  onClose: () => void;
  /** Called with a time in the future. */
  onChoose: (at: string) => void;
}

/** Asks for the end of a snooze, in the browser's time zone. */
export function SnoozeUntil({ opened, onClose, onChoose }: Props) {
  const [text, setText] = useState('');
  const at = Date.parse(text);
  const past = text !== '' && at <= Date.now();
  return (
    <GuardedModal opened={opened} onClose={onClose} title={t('snooze')}>
      <SubmitForm
        onSubmit={() => {
          if (Number.isNaN(at) || past) return;
          onClose();
          onChoose(new Date(at).toISOString());
        }}
      >
        <DateInput
          timed
          label={t('until')}
          value={text}
          error={past ? t('snoozePast') : undefined}
          data-autofocus
          onChange={setText}
        />
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" disabled={Number.isNaN(at) || past}>
            {t('snooze')}
          </Button>
        </Group>
      </SubmitForm>
    </GuardedModal>
  );
}
