import { useWhere } from '../app/here';
import { texts } from '../i18n/texts';
import { SELDOM, useLiveConversations } from '../live/use-live';
import classes from './badge.module.css';
import { useUnread } from './unread';

const t = texts('navigation');
/** A larger number does not fit beside the name. */
const MOST = 99;

/** Beside the inbox in the rail: the number of unread conversations of all views. */
export function UnreadBadge() {
  const { workspace } = useWhere();
  useLiveConversations(workspace.id, SELDOM);
  const count = useUnread(workspace.id);
  if (count === 0) return null;
  return (
    <span className={classes.badge} title={t('unread', { count })}>
      {count > MOST ? t('unreadAtLeast', { count: MOST }) : count}
    </span>
  );
}
