import { useReactFlow } from '@xyflow/react';
import type { NodeType } from '../definition';
import { onGrid } from '../graph/arrange';
import { DRAGGED } from '../palette/groups';
import type { CanvasProps } from './props';

/** Accepts nodes that are dropped from the palette. */
export function useDrop(onAdd: CanvasProps['onAdd']) {
  const flow = useReactFlow();
  if (!onAdd) return {};
  return {
    onDragOver: (event: React.DragEvent) => {
      if (!event.dataTransfer.types.includes(DRAGGED)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    },
    onDrop: (event: React.DragEvent) => {
      const type = event.dataTransfer.getData(DRAGGED);
      if (!type) return;
      event.preventDefault();
      const { x, y } = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
      onAdd(type as NodeType, { at: onGrid({ x: x - 120, y: y - 20 }) });
    },
  };
}
