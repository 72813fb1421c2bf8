import { Text } from '@mantine/core';
import { useContext } from 'react';
import { WhereContext } from '../app/here';
import { texts } from '../i18n/texts';
import { ApiButton } from './api-button';
import type { Call } from './curl';
import classes from './states.module.css';

const common = texts('common');

export { Failure, told } from './failure';
export { Waiting } from './waiting';

interface EmptyProps {
  title: string;
  /** A sentence about the purpose of the list. */
  children: React.ReactNode;
  /** The button for the next step. */
  action?: React.ReactNode;
  /** The API request that does the same. It opens beside the button, for users who can manage keys. */
  call?: Call;
}

/** An empty list: its purpose, and the button for the next step. */
export function Empty({ title, children, action, call }: EmptyProps) {
  const isForKeys = useContext(WhereContext)?.administers ?? true;
  const shownCall = isForKeys ? call : undefined;
  return (
    <div className={classes.empty}>
      <Text fw={600}>{title}</Text>
      <Text c="dimmed" maw="60ch" style={{ textWrap: 'pretty' }}>
        {children}
      </Text>
      {(action || shownCall) && (
        <div className={classes.action}>
          {action}
          {shownCall && <ApiButton call={shownCall} label={common('apiCall')} variant="subtle" />}
        </div>
      )}
    </div>
  );
}
