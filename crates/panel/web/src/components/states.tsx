import { Button, Skeleton, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Problem, sentence, Unreachable } from '../api/problem';
import { common } from '../i18n/en/shell';
import { ApiButton } from './api-button';
import type { Call } from './curl';
import { Id } from './id';
import classes from './states.module.css';

/** What went wrong, in a sentence. */
export function told(error: unknown): string {
  if (error instanceof Unreachable) return `${common.unreachableNow}.`;
  return error instanceof Error ? sentence(error.message) : common.failed;
}

/** What went wrong, with what support would ask for, and a way on. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div className={classes.failure} role="alert">
      <IconAlertTriangle size={18} className={classes.sign} aria-hidden />
      <div className={classes.words}>
        <Text fw={600}>{told(error)}</Text>
        {error instanceof Unreachable && <Text c="dimmed">{common.unreachableHint}</Text>}
        {error instanceof Problem && error.requestId && (
          <Text c="dimmed" component="div" size="sm">
            {common.requestId} <Id id={error.requestId} />
          </Text>
        )}
      </div>
      {retry && (
        <Button variant="default" onClick={retry}>
          {common.tryAgain}
        </Button>
      )}
    </div>
  );
}

/** Lines in place of what is on its way; nothing at all where it is there within 200 ms. */
export function Waiting({ lines = 6 }: { lines?: number }) {
  const [shown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={common.loading} className={classes.waiting}>
      {shown &&
        Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
          <Skeleton key={line} height={16} width={`${90 - ((line * 17) % 40)}%`} />
        ))}
    </div>
  );
}

interface EmptyProps {
  title: string;
  /** One sentence that says what this is for. */
  children: React.ReactNode;
  /** The button that a user needs here. */
  action?: React.ReactNode;
  /** The same as a request. It opens beside the button. */
  call?: Call;
}

/** An empty list: its purpose, and the button for the next step. */
export function Empty({ title, children, action, call }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <Text fw={600}>{title}</Text>
      <Text c="dimmed" maw="60ch">
        {children}
      </Text>
      {(action || call) && (
        <div className={classes.action}>
          {action}
          {call && <ApiButton call={call} label={common.apiCall} variant="subtle" />}
        </div>
      )}
    </div>
  );
}
