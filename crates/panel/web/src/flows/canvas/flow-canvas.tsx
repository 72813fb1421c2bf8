import { ReactFlowProvider } from '@xyflow/react';
import { Board } from './board';
import type { CanvasProps } from './props';

export function FlowCanvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Board {...props} />
    </ReactFlowProvider>
  );
}
