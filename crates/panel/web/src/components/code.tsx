import { Button, Popover, Text } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { common } from '../i18n/en/shell';
import classes from './code.module.css';
import { CopyIcon } from './copy';
import { type Call, curl } from './curl';

/** A text that is pasted elsewhere. */
export function Code({ text, what }: { text: string; what: string }) {
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.text} tabIndex={0} aria-label={what}>
        <pre>{text}</pre>
      </section>
      <div className={classes.copy}>
        <CopyIcon text={text} what={what} />
      </div>
    </div>
  );
}

/** The `curl` that makes a call. */
export function Curl({ call }: { call: Call }) {
  return <Code text={curl(call)} what="the curl" />;
}

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
