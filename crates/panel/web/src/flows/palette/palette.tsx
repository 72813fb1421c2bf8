import { Menu, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { en } from '../../i18n/en';
import { nodeIcon, triggerIcon } from '../canvas/icons';
import type { NodeType, TriggerType } from '../definition';
import { DRAGGED, GROUPS } from './groups';
import classes from './palette.module.css';

const words = en.flowEditor;
const TRIGGERS = Object.keys(words.triggers) as TriggerType[];

interface Props {
  onAdd: (type: NodeType) => void;
  onTrigger: (type: TriggerType) => void;
}

/** What may be added, in groups. A choice comes behind what is chosen; a node may be dragged to its place. */
export function Palette({ onAdd, onTrigger }: Props) {
  return (
    <nav className={classes.palette} aria-label={words.palette}>
      <Group label={words.groups.start}>
        {TRIGGERS.map((type) => {
          const Icon = triggerIcon(type);
          return (
            <Menu.Item key={type} leftSection={<Icon size={16} />} onClick={() => onTrigger(type)}>
              {words.triggers[type]}
            </Menu.Item>
          );
        })}
      </Group>
      {GROUPS.map(({ name, types }) => (
        <Group key={name} label={words.groups[name]}>
          {types.map((type) => {
            const Icon = nodeIcon(type);
            return (
              <Menu.Item
                key={type}
                leftSection={<Icon size={16} />}
                title={words.nodes[type].hint}
                draggable
                onDragStart={(event) => {
                  event.dataTransfer.setData(DRAGGED, type);
                  event.dataTransfer.effectAllowed = 'copy';
                }}
                onClick={() => onAdd(type)}
              >
                {words.nodes[type].title}
              </Menu.Item>
            );
          })}
        </Group>
      ))}
    </nav>
  );
}

function Group({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <Menu position="right-start" offset={8} trigger="click-hover" openDelay={80} closeDelay={150}>
      <Menu.Target>
        <UnstyledButton className={classes.group}>
          {label}
          <IconChevronRight size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
