import { Menu, UnstyledButton } from '@mantine/core';
import { IconFlask, IconSelector } from '@tabler/icons-react';
import { en } from '../i18n/en';
import { useWhere } from './here';
import { useMode } from './mode';
import { WorkspaceItems } from './workspace-items';
import classes from './workspace-menu.module.css';

/** The workspace that one is in, and the others that one has a place in. */
export function WorkspaceMenu() {
  const { live, inSandbox } = useWhere();
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
        <WorkspaceItems />
      </Menu.Dropdown>
    </Menu>
  );
}
