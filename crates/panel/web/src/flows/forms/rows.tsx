import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { texts } from '../../i18n/texts';

const t = texts('flow-forms');

export function Remove({ onClick, label = t('removeRow') }: { onClick: () => void; label?: string }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      <IconX size={14} />
    </ActionIcon>
  );
}

export function Add({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} />} onClick={onClick}>
      {label}
    </Button>
  );
}
