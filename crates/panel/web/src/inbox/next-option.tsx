import { Menu } from '@mantine/core';
import { texts } from '../i18n/texts';
import { useNextSetting } from './next';

const t = texts('inbox');

/** The menu item for opening the next conversation after a resolve. */
export function NextOption() {
  const [isOn, set] = useNextSetting();
  return (
    <>
      <Menu.Label>{t('afterResolve')}</Menu.Label>
      <Menu.CheckboxItem checked={isOn} onChange={set} closeMenuOnClick={false}>
        {t('openNext')}
      </Menu.CheckboxItem>
    </>
  );
}
