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
  /** Replaces the title if it is editable. It contains the heading element. */
  heading?: React.ReactNode;
  /** A sentence about the purpose of the page. */
  description?: React.ReactNode;
  /** A status beside the title. */
  beside?: React.ReactNode;
  /** The ID of the page's object. It is beside the title, or in the menu for users who cannot manage keys. */
  id?: string;
  action?: React.ReactNode;
  call?: Call;
  /** Whether `action` contains a menu with `PageMenuItems`. */
  hasMenu?: boolean;
  /** Whether the page uses the full width of the window. */
  wide?: boolean;
  children: React.ReactNode;
}

/** A page with a title, actions and content. */
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
