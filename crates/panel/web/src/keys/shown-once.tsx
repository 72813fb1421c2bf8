import { Button, Group, Text } from '@mantine/core';
import { Code, Curl } from '../components/code';
import { CopyButton } from '../components/copy';
import { en } from '../i18n/en';
import type { CreatedApiKey } from './api';

const words = en.keys;

/** A key's whole text, which is never shown again. */
export function ShownOnce({ made, onDone }: { made: CreatedApiKey; onDone: () => void }) {
  return (
    <div>
      <Code text={made.key} what={words.theKey} />
      <Text size="sm" c="dimmed" mt="xs">
        {words.madeOnce}
      </Text>
      <Text mt="lg" mb="xs" fw={500}>
        {words.madeTry}
      </Text>
      <Curl call={{ path: '/api/v1/me', credential: made.key }} />
      <Group justify="flex-end" mt="lg" gap="xs">
        <CopyButton text={made.key} what={words.theKey} />
        <Button onClick={onDone}>{words.done}</Button>
      </Group>
    </div>
  );
}
