import { Menu, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../../i18n/texts';
import { triggerIcon } from '../canvas/icons';
import type { NodeType, TriggerType } from '../definition';
import { GROUPS, type GroupName } from './groups';
import { GROUP_ICONS } from './icons';
import { NodeItem } from './node-item';
import classes from './palette.module.css';

const t = texts('flow-editor');
const TRIGGERS: TriggerType[] = ['keyword', 'referral', 'event', 'custom_event', 'schedule'];

interface Props {
  onAdd: (type: NodeType) => void;
  onTrigger: (type: TriggerType) => void;
}

/** The steps to add, as a strip of icons. A step is added after the selected one or dragged to the canvas. */
export function Palette({ onAdd, onTrigger }: Props) {
  return (
    <nav className={classes.palette} aria-label={t('palette')}>
      <Group name="start">
        {(picked) =>
          TRIGGERS.map((type) => {
            const Icon = triggerIcon(type);
            return (
              <Menu.Item
                key={type}
                leftSection={<Icon size={16} />}
                onClick={() => {
                  picked();
                  onTrigger(type);
                }}
              >
                {t(`triggers.${type}`)}
              </Menu.Item>
            );
          })
        }
      </Group>
      {GROUPS.map(({ name, types }) => (
        <Group key={name} name={name}>
          {(picked) =>
            types.map((type) => (
              <NodeItem
                key={type}
                type={type}
                onDragged={picked}
                onPick={() => {
                  picked();
                  onAdd(type);
                }}
              />
            ))
          }
        </Group>
      ))}
    </nav>
  );
}

interface GroupProps {
  name: GroupName;
  /** The menu items. They call `picked` after a choice. */
  children: (picked: () => void) => React.ReactNode;
}

function Group({ name, children }: GroupProps) {
  const [opened, setOpened] = useState(false);
  // After a choice the new step gets the focus. Otherwise the menu returns the focus.
  const [hasPicked, setPicked] = useState(false);
  const pick = () => {
    setPicked(true);
    setOpened(false);
  };
  const Icon = GROUP_ICONS[name];
  return (
    <Menu
      position="right-start"
      offset={8}
      opened={opened}
      onChange={setOpened}
      closeOnItemClick={false}
      returnFocus={!hasPicked}
      onOpen={() => setPicked(false)}
    >
      <Menu.Target>
        <UnstyledButton className={classes.group} aria-label={t(`groups.${name}`)}>
          <Icon size={20} aria-hidden />
          <span className={classes.name} aria-hidden>
            {t(`groups.${name}`)}
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t(`groups.${name}`)}</Menu.Label>
        {children(pick)}
      </Menu.Dropdown>
    </Menu>
  );
}
