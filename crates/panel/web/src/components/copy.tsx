import { ActionIcon, Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { texts } from '../i18n/texts';

const common = texts('common');

interface Props {
  text: string;
  /** A description of the text for screen readers: "the key", "the id". */
  what: string;
}

export function CopyIcon({ text, what }: Props) {
  const clipboard = useClipboard({ timeout: 1500 });
  const label = clipboard.copied ? common('copied') : common('copyNamed', { what });
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      aria-label={label}
      title={label}
      onClick={() => clipboard.copy(text)}
    >
      {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
    </ActionIcon>
  );
}

export function CopyButton({ text, what }: Props) {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <Button
      variant="default"
      leftSection={clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      aria-label={clipboard.copied ? common('copied') : common('copyNamed', { what })}
      onClick={() => clipboard.copy(text)}
    >
      {clipboard.copied ? common('copied') : common('copy')}
    </Button>
  );
}
