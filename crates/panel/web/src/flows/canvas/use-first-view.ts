import type { ReactFlowInstance } from '@xyflow/react';
import { useCallback, useRef } from 'react';
import { isStart } from '../graph/graph';
import type { CardNode, View, WayEdge } from './elements';

const LEAST = 0.68;

/** Shows the whole flow where it can be read then; of a long one its beginning. */
export function useFirstView(view: View) {
  const latest = useRef(view);
  latest.current = view;
  return useCallback((flow: ReactFlowInstance<CardNode, WayEdge>) => {
    void flow.fitView(paddedBy(latest.current.editable)).then(() => {
      if (flow.getZoom() >= LEAST) return;
      const { graph, layout } = latest.current;
      const first = graph.vertices.find((it) => !isStart(it.id)) ?? graph.vertices[0];
      const at = first && layout[first.id];
      if (!first || !at) return;
      const zoom = 0.85;
      // The first card stands in the middle, a third from above.
      void flow.setCenter(at.x + first.width / 2, at.y + 180, { zoom });
    });
  }, []);
}

/** Some room around, and at the left for the palette where there is one. */
export function paddedBy(editable: boolean) {
  return {
    padding: { top: '24px', bottom: '24px', right: '32px', left: editable ? '160px' : '32px' } as const,
    maxZoom: 1,
  };
}
