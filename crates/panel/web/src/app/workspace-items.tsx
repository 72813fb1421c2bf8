import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { dayAndTime } from '../components/time';
import { workspaceDeletion as words } from '../i18n/en/workspace-deletion';
import { useWhere } from './here';
import { isDeleted, type Place, places } from './places';
import { useAccount } from './use-session';
import classes from './workspace-menu.module.css';

/** The workspaces of the user, as items of a menu. */
export function WorkspaceItems() {
  const account = useAccount();
  const { live, go } = useWhere();
  return places(account).map((place) => (
    <Menu.Item
      key={place.live.id}
      onClick={() => go(place.live.id)}
      rightSection={place.live.id === live.id ? <IconCheck size={14} aria-hidden /> : undefined}
      aria-current={place.live.id === live.id || undefined}
    >
      {place.live.name}
      <div className={classes.role}>{place.role}</div>
      {isDeleted(place) && <div className={classes.role}>{deletionOf(place)}</div>}
    </Menu.Item>
  ));
}

function deletionOf({ live }: Place): string {
  return live.restore_until ? words.deletedUntil(dayAndTime(live.restore_until)) : words.deleted;
}
