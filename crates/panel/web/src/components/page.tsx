import { Title } from '@mantine/core';
import { ApiButton } from './api-button';
import type { Call } from './curl';
import classes from './page.module.css';
import { useTitle } from './title';

interface Props {
  title: string;
  /** In place of the title, where it can be changed. It has the heading. */
  heading?: React.ReactNode;
  /** A sentence that says what this is for. */
  description?: React.ReactNode;
  /** Beside the title: a state, an id. */
  beside?: React.ReactNode;
  /** The primary action, at the right. */
  action?: React.ReactNode;
  /** The request that makes what the page shows. */
  call?: Call;
  /** As wide as the window allows. */
  wide?: boolean;
  children: React.ReactNode;
}

/** A page of the shell: its head, and what it is about. */
export function Page({ title, heading, description, beside, action, call, wide, children }: Props) {
  useTitle(title);
  return (
    <div className={classes.page} data-wide={wide || undefined}>
      <div className={classes.head}>
        <div className={classes.names}>
          <div className={classes.title}>
            {heading ?? <Title order={1}>{title}</Title>}
            {beside}
          </div>
          {description && <p className={classes.description}>{description}</p>}
        </div>
        {(call || action) && (
          <div className={classes.actions}>
            {call && <ApiButton call={call} />}
            {action}
          </div>
        )}
      </div>
      {children}
    </div>
  );
}
