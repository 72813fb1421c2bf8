import { Button, Group, Text } from '@mantine/core';
import { Code } from '../components/code';
import { CopyButton } from '../components/copy';
import { texts } from '../i18n/texts';
import { Snippets } from './verify/snippets';

const t = texts('webhooks');

interface Props {
  secret: string;
  /** The label of the button that closes it. */
  verb: string;
  onDone: () => void;
}

/** A secret that is shown only once, with instructions. */
export function SecretOnce({ secret, verb, onDone }: Props) {
  return (
    <div>
      <Code text={secret} what={t('secret')} />
      <Text size="sm" c="dimmed" mt="xs">
        {t('secretOnce')}
      </Text>
      <Group justify="flex-end" mt="md" mb="lg" gap="xs">
        <CopyButton text={secret} what={t('secret')} />
        <Button onClick={onDone}>{verb}</Button>
      </Group>
      <Snippets />
    </div>
  );
}
