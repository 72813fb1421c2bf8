import { Title } from '@mantine/core';
import { useEffect } from 'react';
import { useWhere } from '../app/here';
import { en } from '../i18n/en';
import { ApiButton } from './code';
import type { Call } from './curl';
import classes from './page.module.css';

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
  const { live, inSandbox } = useWhere();
  useEffect(() => {
    const parts = [title, inSandbox ? en.shell.sandbox : undefined, live.name, en.common.product];
    document.title = parts.filter((it, at) => it && parts.indexOf(it) === at).join(' · ');
  }, [title, live.name, inSandbox]);
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
