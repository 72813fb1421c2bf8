import { Menu } from '@mantine/core';
import { texts } from '../../i18n/texts';
import { nodeIcon } from '../canvas/icons';
import type { NodeType } from '../definition';
import { DRAGGED } from './groups';

const t = texts('flow-editor');

interface Props {
  type: NodeType;
  onPick: () => void;
  /** Called after the item was dragged to the canvas. Without it, the item cannot be dragged. */
  onDragged?: () => void;
}

export function NodeItem({ type, onPick, onDragged }: Props) {
  const Icon = nodeIcon(type);
  return (
    <Menu.Item
      leftSection={<Icon size={16} />}
      title={t(`nodes.${type}.hint`)}
      draggable={onDragged !== undefined}
      // The menu prevents the default action of a press, which would prevent dragging.
      {...(onDragged && { onMouseDown: () => undefined })}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAGGED, type);
        event.dataTransfer.effectAllowed = 'copy';
      }}
      onDragEnd={onDragged}
      onClick={onPick}
    >
      {t(`nodes.${type}.title`)}
    </Menu.Item>
  );
}
