import type { ReactFlowInstance } from '@xyflow/react';
import { useCallback, useRef } from 'react';
import type { CardNode, View, WayEdge } from './elements';

const LEAST = 0.68;

/** Shows the whole flow where it can be read then; of a long one its beginning. */
export function useFirstView(view: View) {
  const latest = useRef(view);
  latest.current = view;
  return useCallback((flow: ReactFlowInstance<CardNode, WayEdge>) => {
    void flow.fitView({ padding: 0.12, maxZoom: 1 }).then(() => {
      if (flow.getZoom() >= LEAST) return;
      const { graph, layout } = latest.current;
      const first = graph.vertices[0];
      const at = first && layout[first.id];
      if (!first || !at) return;
      const zoom = 0.8;
      // The first card stands in the middle, a third from above.
      void flow.setCenter(at.x + first.width / 2, at.y + 280, { zoom });
    });
  }, []);
}
