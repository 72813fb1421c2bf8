import { useWhere } from '../app/here';
import { en } from '../i18n/en';
import { SELDOM, useLiveConversations } from '../live/use-live';
import classes from './badge.module.css';
import { useUnread } from './unread';

/** Beside the inbox in the rail: how many conversations wait to be read. */
export function UnreadBadge() {
  const { workspace } = useWhere();
  useLiveConversations(workspace.id, SELDOM);
  const count = useUnread(workspace.id);
  if (count === 0) return null;
  return (
    <span className={classes.badge} title={en.shell.unread(count)}>
      {count}
    </span>
  );
}
