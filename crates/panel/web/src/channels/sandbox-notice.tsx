import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { list } from '../i18n/format';
import { texts } from '../i18n/texts';
import { useChannels } from './api';
import classes from './sandbox-notice.module.css';
import { type ChannelChoice, connectSearch, sandboxesInUse } from './sandbox-use';

const t = texts('channels');

interface Props {
  /** The channels that the messages use. */
  of: ChannelChoice[];
  className?: string;
}

/** Warns that live messages use sandbox channels, which do not reach contacts. Otherwise it shows nothing. */
export function SandboxNotice({ of, className = '' }: Props) {
  const { workspace, role } = useWhere();
  const channels = useChannels(workspace.id).data ?? [];
  const used = sandboxesInUse(workspace, channels, of);
  if (used.length === 0) return null;
  const names = used.map((it) => t('quoted', { name: it.name }));
  return (
    <div className={`${classes.notice} ${className}`} role="status">
      <IconAlertTriangle size={18} className={classes.sign} aria-hidden />
      <span className={classes.words}>{t('reachesNone', { count: used.length, channels: list(names) })}</span>
      <Link to="/channels" search={connectSearch(channels, mayWrite(role))}>
        {t('connectOne')}
      </Link>
    </div>
  );
}
