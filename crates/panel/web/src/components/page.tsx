import { Title } from '@mantine/core';
import { useContext } from 'react';
import { WhereContext } from '../app/here';
import { ApiButton } from './api-button';
import type { Call } from './curl';
import { Id } from './id';
import classes from './page.module.css';
import { PageDetails } from './page-details';
import { PageMenu } from './page-menu';
import { useTitle } from './title';

interface Props {
  title: string;
  /** In place of the title, where it can be changed. It has the heading. */
  heading?: React.ReactNode;
  /** A sentence that says what this is for. */
  description?: React.ReactNode;
  /** Beside the title: a state. */
  beside?: React.ReactNode;
  /** The ID of the page's object: beside the title, or in the menu for users who cannot manage keys. */
  id?: string;
  /** The primary action, at the right. */
  action?: React.ReactNode;
  /** The request that makes what the page shows. */
  call?: Call;
  /** Whether `action` has a menu that contains `PageMenuItems`. */
  hasMenu?: boolean;
  /** As wide as the window allows. */
  wide?: boolean;
  children: React.ReactNode;
}

/** A page of the shell: its head, and what it is about. */
export function Page(props: Props) {
  const { title, heading, description, beside, id, action, call, hasMenu, wide, children } = props;
  useTitle(title);
  const isForKeys = useContext(WhereContext)?.administers ?? true;
  const menu = !isForKeys && !hasMenu && Boolean(id || call);
  return (
    <PageDetails id={id} call={call} inMenu={!isForKeys}>
      <div className={classes.page} data-wide={wide || undefined}>
        <div className={classes.head}>
          <div className={classes.names}>
            <div className={classes.title}>
              {heading ?? <Title order={1}>{title}</Title>}
              {beside}
              {isForKeys && id && <Id id={id} />}
            </div>
            {description && <p className={classes.description}>{description}</p>}
          </div>
          {(call || action || menu) && (
            <div className={classes.actions}>
              {isForKeys && call && <ApiButton call={call} />}
              {action}
              {menu && <PageMenu />}
            </div>
          )}
        </div>
        {children}
      </div>
    </PageDetails>
  );
}
