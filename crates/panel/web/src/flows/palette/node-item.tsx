import { Menu } from '@mantine/core';
import { en } from '../../i18n/en';
import { nodeIcon } from '../canvas/icons';
import type { NodeType } from '../definition';
import { DRAGGED } from './groups';

const words = en.flowEditor.nodes;

interface Props {
  type: NodeType;
  onPick: () => void;
  /** Whether the item can be dragged to the canvas. */
  draggable?: boolean;
}

/** A step in a menu. */
export function NodeItem({ type, onPick, draggable }: Props) {
  const Icon = nodeIcon(type);
  return (
    <Menu.Item
      leftSection={<Icon size={16} />}
      title={words[type].hint}
      draggable={draggable}
      // The menu prevents the default of a press, which would start no drag.
      {...(draggable && { onMouseDown: () => undefined })}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAGGED, type);
        event.dataTransfer.effectAllowed = 'copy';
      }}
      onClick={onPick}
    >
      {words[type].title}
    </Menu.Item>
  );
}
