import { Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Problem, sentence, Unreachable } from '../api/problem';
import { problemMessage } from '../i18n/problems';
import { texts } from '../i18n/texts';
import { Id } from './id';
import classes from './states.module.css';

const common = texts('common');

/** Describes an error in a sentence. */
export function told(error: unknown): string {
  if (error instanceof Unreachable) return `${common('unreachableNow')}.`;
  if (error instanceof Problem) return sentence(problemMessage(error));
  return error instanceof Error ? sentence(error.message) : common('failed');
}

interface FailureProps {
  error: unknown;
  /** A more precise text than that of the error. */
  message?: string;
  retry?: () => void;
}

/** An error with its request ID and a retry button. */
export function Failure({ error, message, retry }: FailureProps) {
  return (
    <div className={classes.failure} role="alert">
      <IconAlertTriangle size={18} className={classes.sign} aria-hidden />
      <div className={classes.words}>
        <Text fw={600}>{message ?? told(error)}</Text>
        {error instanceof Unreachable && <Text c="dimmed">{common('unreachableHint')}</Text>}
        {error instanceof Problem && error.requestId && (
          <Text c="dimmed" component="div" size="sm">
            {common('requestId')} <Id id={error.requestId} />
          </Text>
        )}
      </div>
      {retry && (
        <Button variant="default" onClick={retry}>
          {common('tryAgain')}
        </Button>
      )}
    </div>
  );
}
