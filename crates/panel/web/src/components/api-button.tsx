import { Button, Popover, Text } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { texts } from '../i18n/texts';
import { Curl } from './code';
import type { Call } from './curl';

const common = texts('common');

interface Props {
  call: Call;
  label?: string;
  variant?: 'default' | 'subtle';
}

/** A button that shows the API request of a page. */
export function ApiButton({ call, label = common('api'), variant = 'default' }: Props) {
  return (
    <Popover position="bottom-end" width={480} shadow="md" trapFocus>
      <Popover.Target>
        <Button variant={variant} leftSection={<IconCode size={16} />}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 24px)">
        <Text size="sm" c="dimmed" mb="xs">
          {common('apiHint')}
        </Text>
        <Curl call={call} />
      </Popover.Dropdown>
    </Popover>
  );
}
