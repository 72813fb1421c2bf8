import { Menu } from '@mantine/core';
import { en } from '../i18n/en';
import { useNextSetting } from './next';

const words = en.inbox;

/** An item of the list's menu: whether a resolve opens the next conversation. */
export function NextOption() {
  const [isOn, set] = useNextSetting();
  return (
    <>
      <Menu.Label>{words.afterResolve}</Menu.Label>
      <Menu.CheckboxItem checked={isOn} onChange={set} closeMenuOnClick={false}>
        {words.openNext}
      </Menu.CheckboxItem>
    </>
  );
}
