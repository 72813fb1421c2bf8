import { Menu, UnstyledButton } from '@mantine/core';
import { IconFlask, IconSelector } from '@tabler/icons-react';
import { texts } from '../i18n/texts';
import { useWhere } from './here';
import { useMode } from './mode';
import { WorkspaceItems } from './workspace-items';
import classes from './workspace-menu.module.css';

const t = texts('shell');

/** A menu with the open workspace and the user's other workspaces. */
export function WorkspaceMenu() {
  const { live, inSandbox } = useWhere();
  const { offered, choose } = useMode();
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton
          className={classes.button}
          aria-label={t('workspaceButton', {
            workspace: inSandbox ? `${live.name} ${t('sandbox')}` : live.name,
          })}
        >
          <span className={classes.name}>{live.name}</span>{' '}
          {inSandbox && <span className={classes.badge}>{t('sandbox')}</span>}
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
            {inSandbox ? t('toLive') : t('toSandbox')}
          </Menu.Item>
        )}
        <Menu.Label>{t('workspaces')}</Menu.Label>
        <WorkspaceItems />
      </Menu.Dropdown>
    </Menu>
  );
}
