import { Button, Checkbox, Popover, ScrollArea, Stack } from '@mantine/core';
import { IconColumns } from '@tabler/icons-react';
import { texts } from '../i18n/texts';
import type { ChosenColumns } from './chosen-columns';
import { DEFAULT, headerOf } from './columns';

const t = texts('contacts');

export function ColumnPicker({ columns: { all, shown, choose } }: { columns: ChosenColumns }) {
  return (
    <Popover position="bottom-start" width={280} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns size={16} />}>
          {t('chooseColumns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 24px)">
        <ScrollArea.Autosize mah="min(420px, 60vh)">
          <Checkbox.Group
            aria-label={t('chooseColumns')}
            value={shown.map(({ key }) => key)}
            onChange={choose}
          >
            <Stack gap="xs">
              {all.map((it) => (
                <Checkbox key={it.key} value={it.key} label={headerOf(it)} disabled={it.key === 'name'} />
              ))}
            </Stack>
          </Checkbox.Group>
        </ScrollArea.Autosize>
        <Button variant="subtle" size="compact-sm" mt="sm" onClick={() => choose(DEFAULT)}>
          {t('usualColumns')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
