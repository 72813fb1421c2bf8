import { Menu } from '@mantine/core';
import { texts } from '../i18n/texts';
import { useNextSetting } from './next';

const t = texts('inbox');

/** An item of the list's menu: whether a resolve opens the next conversation. */
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
