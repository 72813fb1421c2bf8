import { useWhere } from '../app/here';
import { texts } from '../i18n/texts';
import { SELDOM, useLiveConversations } from '../live/use-live';
import classes from './badge.module.css';
import { useUnread } from './unread';

const t = texts('navigation');
/** The largest number that fits beside the name. */
const MOST = 99;

/** The number of unread conversations in all views, beside the inbox in the rail. */
export function UnreadBadge() {
  const { workspace } = useWhere();
  useLiveConversations(workspace.id, SELDOM);
  const count = useUnread(workspace.id);
  if (count === 0) return null;
  return (
    <span className={classes.badge} title={t('unread', { count })}>
      {count > MOST ? t('capped', { count: MOST }) : count}
    </span>
  );
}
