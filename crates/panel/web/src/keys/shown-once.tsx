import { Button, Group, Text } from '@mantine/core';
import { Code, Curl } from '../components/code';
import { CopyButton } from '../components/copy';
import { texts } from '../i18n/texts';
import type { CreatedApiKey } from './api';

const t = texts('keys');

/** The full text of a key, which is shown only once. */
export function ShownOnce({ made, onDone }: { made: CreatedApiKey; onDone: () => void }) {
  return (
    <div>
      <Code text={made.key} what={t('theKey')} />
      <Text size="sm" c="dimmed" mt="xs">
        {t('createdHint')}
      </Text>
      <Text mt="lg" mb="xs" fw={500}>
        {t('try')}
      </Text>
      <Curl call={{ path: '/api/v1/me', credential: made.key }} />
      <Group justify="flex-end" mt="lg" gap="xs">
        <CopyButton text={made.key} what={t('theKey')} />
        <Button onClick={onDone}>{t('done')}</Button>
      </Group>
    </div>
  );
}
