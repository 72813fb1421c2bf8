import { Button, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { GuardedModal } from '../components/guarded';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import { objectOf } from '../simulation/json';
import type { Story } from '../simulation/story';
import classes from './json.module.css';

const words = en.simulation;

interface KeepProps {
  opened: boolean;
  /** The name of the script that it was made from. */
  taken: string | undefined;
  pending: boolean;
  error: unknown;
  onClose: () => void;
  onKeep: (name: string, expects: boolean) => void;
}

/** Asks under which name a story is kept with the flow. */
export function KeepScript({ opened, taken, pending, error, onClose, onKeep }: KeepProps) {
  const [name, setName] = useState('');
  const [expects, setExpects] = useState(true);
  const meant = name.trim();
  return (
    <GuardedModal
      opened={opened}
      onClose={onClose}
      title={words.keepTitle}
      closeButtonProps={{ 'aria-label': en.common.close }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (meant) onKeep(meant, expects);
        }}
      >
        <Stack gap="md">
          <Text c="dimmed">{words.keepHint}</Text>
          <TextInput
            label={words.keepName}
            placeholder={taken ?? words.keepPlaceholder}
            maxLength={100}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Switch
            label={words.keepExpect}
            checked={expects}
            onChange={(event) => setExpects(event.currentTarget.checked)}
          />
          {error != null && <Failure error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {en.common.cancel}
            </Button>
            <Button type="submit" loading={pending} disabled={!meant}>
              {words.keepVerb}
            </Button>
          </Group>
        </Stack>
      </form>
    </GuardedModal>
  );
}

interface JsonProps {
  opened: boolean;
  story: Story;
  onClose: () => void;
  onApply: (story: Story) => void;
}

/** All of a script as text: what no button sets, such as the answers of called services. */
export function ScriptJson({ opened, onClose, ...form }: JsonProps) {
  return (
    <GuardedModal
      opened={opened}
      onClose={onClose}
      size={640}
      title={words.jsonTitle}
      closeButtonProps={{ 'aria-label': en.common.close }}
    >
      <JsonForm {...form} />
    </GuardedModal>
  );
}

function JsonForm({ story, onApply }: Pick<JsonProps, 'story' | 'onApply'>) {
  const [text, setText] = useState(JSON.stringify(story, null, 2));
  const meant = objectOf(text);
  return (
    <Stack gap="md">
      <Text c="dimmed">{words.jsonHint}</Text>
      <Textarea
        aria-label={words.jsonTitle}
        classNames={{ input: classes.script }}
        spellCheck={false}
        value={text}
        error={meant ? undefined : words.notObject}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button disabled={!meant} onClick={() => meant && onApply(meant as Story)}>
          {words.apply}
        </Button>
      </Group>
    </Stack>
  );
}
