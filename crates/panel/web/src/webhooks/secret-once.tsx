import { Button, Group, Text } from '@mantine/core';
import { Code } from '../components/code';
import { CopyButton } from '../components/copy';
import { en } from '../i18n/en';
import { Snippets } from './verify/snippets';

const words = en.webhooks;

interface Props {
  secret: string;
  /** What the button says that leaves it. */
  verb: string;
  onDone: () => void;
}

/** A secret, which is never shown again, and what to do with it. */
export function SecretOnce({ secret, verb, onDone }: Props) {
  return (
    <div>
      <Code text={secret} what={words.secret} />
      <Text size="sm" c="dimmed" mt="xs">
        {words.secretOnce}
      </Text>
      <Group justify="flex-end" mt="md" mb="lg" gap="xs">
        <CopyButton text={secret} what={words.secret} />
        <Button onClick={onDone}>{verb}</Button>
      </Group>
      <Snippets />
    </div>
  );
}
