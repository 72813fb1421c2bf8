import { Menu, UnstyledButton } from '@mantine/core';
import { IconCheck, IconFlask, IconSelector } from '@tabler/icons-react';
import { en } from '../i18n/en';
import { useWhere } from './here';
import { useMode } from './mode';
import { places } from './places';
import { useAccount } from './use-session';
import classes from './workspace-menu.module.css';

/** The workspace that one is in, and the others that one has a place in. */
export function WorkspaceMenu() {
  const account = useAccount();
  const { live, inSandbox, go } = useWhere();
  const { offered, choose } = useMode();
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton
          className={classes.button}
          aria-label={`${[live.name, ...(inSandbox ? [en.shell.sandbox] : [])].join(' ')}: ${en.shell.chooseWorkspace}`}
        >
          <span className={classes.name}>{live.name}</span>{' '}
          {inSandbox && <span className={classes.badge}>{en.shell.sandbox}</span>}
          <IconSelector size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {offered && (
          <Menu.Item
            hiddenFrom="sm"
            leftSection={<IconFlask size={16} />}
            onClick={() => choose(inSandbox ? 'live' : 'sandbox')}
          >
            {inSandbox ? en.shell.toLive : en.shell.toSandbox}
          </Menu.Item>
        )}
        <Menu.Label>{en.shell.workspaces}</Menu.Label>
        {places(account).map((place) => (
          <Menu.Item
            key={place.live.id}
            onClick={() => go(place.live.id)}
            rightSection={place.live.id === live.id ? <IconCheck size={14} aria-hidden /> : undefined}
            aria-current={place.live.id === live.id || undefined}
          >
            {place.live.name}
            <div className={classes.role}>{place.role}</div>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
