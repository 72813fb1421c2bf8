import { useReactFlow } from '@xyflow/react';
import type { NodeType, Point } from '../definition';
import { onGrid } from '../graph/arrange';
import { DRAGGED } from '../palette/groups';

/** Takes nodes that are dragged here from the palette. */
export function useDrop(onDropNode: ((type: NodeType, at: Point) => void) | undefined) {
  const flow = useReactFlow();
  if (!onDropNode) return {};
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
      onDropNode(type as NodeType, onGrid({ x: x - 120, y: y - 20 }));
    },
  };
}
