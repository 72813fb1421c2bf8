import { Button, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { GuardedModal } from '../components/guarded';
import { Failure } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { objectOf } from '../simulation/json';
import type { Story } from '../simulation/story';
import classes from './json.module.css';

const t = texts('simulation');

interface KeepProps {
  opened: boolean;
  /** The name of the script that was opened. */
  taken: string | undefined;
  pending: boolean;
  error: unknown;
  onClose: () => void;
  onKeep: (name: string, expects: boolean) => void;
}

/** Asks for a name and saves a simulation as a script of the flow. */
export function KeepScript({ opened, taken, pending, error, onClose, onKeep }: KeepProps) {
  const [name, setName] = useState('');
  const [expects, setExpects] = useState(true);
  const meant = name.trim();
  return (
    <GuardedModal opened={opened} onClose={onClose} title={t('keepTitle')}>
      <SubmitForm
        onSubmit={() => {
          if (meant) onKeep(meant, expects);
        }}
      >
        <Stack gap="md">
          <Text c="dimmed">{t('keepHint')}</Text>
          <TextInput
            label={t('name')}
            placeholder={taken ?? t('keepPlaceholder')}
            maxLength={100}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Switch
            label={t('keepExpect')}
            checked={expects}
            onChange={(event) => setExpects(event.currentTarget.checked)}
          />
          {error != null && <Failure error={error} />}
          <FormButtons onCancel={onClose} loading={pending} disabled={!meant}>
            {t('keepVerb')}
          </FormButtons>
        </Stack>
      </SubmitForm>
    </GuardedModal>
  );
}

interface JsonProps {
  opened: boolean;
  story: Story;
  onClose: () => void;
  onApply: (story: Story) => void;
}

/** Edits a script as JSON, including values without a field, such as the responses of external services. */
export function ScriptJson({ opened, onClose, ...form }: JsonProps) {
  return (
    <GuardedModal opened={opened} onClose={onClose} size={640} title={t('jsonTitle')}>
      <JsonForm {...form} />
    </GuardedModal>
  );
}

function JsonForm({ story, onApply }: Pick<JsonProps, 'story' | 'onApply'>) {
  const [text, setText] = useState(JSON.stringify(story, null, 2));
  const meant = objectOf(text);
  return (
    <Stack gap="md">
      <Text c="dimmed">{t('jsonHint')}</Text>
      <Textarea
        aria-label={t('jsonTitle')}
        classNames={{ input: classes.script }}
        spellCheck={false}
        value={text}
        error={meant ? undefined : t('notObject')}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button disabled={!meant} onClick={() => meant && onApply(meant as Story)}>
          {t('apply')}
        </Button>
      </Group>
    </Stack>
  );
}
