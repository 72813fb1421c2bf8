import { Button, Popover, Text } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { common } from '../i18n/en/shell';
import { Curl } from './code';
import type { Call } from './curl';

/** Shows how the API gives what the page shows. */
export function ApiButton({ call }: { call: Call }) {
  return (
    <Popover position="bottom-end" width={480} shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconCode size={16} />}>
          {common.api}
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 24px)">
        <Text size="sm" c="dimmed" mb="xs">
          {common.apiHint}
        </Text>
        <Curl call={call} />
      </Popover.Dropdown>
    </Popover>
  );
}
