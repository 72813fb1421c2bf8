import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { texts } from '../i18n/texts';
import classes from './person-menu.module.css';
import { session } from './session';
import { useAccount } from './use-session';

const t = texts('shell');

const SCHEMES = [
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
  { value: 'auto', icon: IconDeviceDesktop },
] as const;

/** The initials of a name: "Ada Lovelace" becomes "AL". */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  );
  return letters.join('').toUpperCase();
}

/** The user menu: account, colour scheme and sign-out. */
export function PersonMenu() {
  const { user } = useAccount();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton
          className={classes.face}
          aria-label={t('accountButton', { initials: initials(user.name) })}
        >
          {initials(user.name)}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <div className={classes.name}>{user.name}</div>
          <div className="dimmed">{user.email}</div>
        </div>
        <Menu.Item leftSection={<IconUser size={16} />} component={Link} to="/settings/profile">
          {t('profile')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('colorScheme')}</Menu.Label>
        {SCHEMES.map(({ value, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} />}
            rightSection={colorScheme === value ? <IconCheck size={14} aria-hidden /> : undefined}
            aria-current={colorScheme === value || undefined}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(value)}
          >
            {t(`colorSchemes.${value}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void session.signOut()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
