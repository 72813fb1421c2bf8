import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { dayAndTime } from '../components/time';
import { texts } from '../i18n/texts';
import { useWhere } from './here';
import { isDeleted, type Place, places } from './places';
import { useAccount } from './use-session';
import classes from './workspace-menu.module.css';

const t = texts('shell');

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
      <div className={classes.role}>{t(`roles.${place.role}`)}</div>
      {isDeleted(place) && <div className={classes.role}>{deletionOf(place)}</div>}
    </Menu.Item>
  ));
}

function deletionOf({ live }: Place): string {
  return live.restore_until ? t('deletedUntil', { until: dayAndTime(live.restore_until) }) : t('deleted');
}
