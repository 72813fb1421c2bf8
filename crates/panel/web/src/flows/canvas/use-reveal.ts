import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useCallback, useEffect, useRef } from 'react';
import type { View } from './elements';

type Drawn = Pick<View, 'graph' | 'layout'>;

/** Returns a function that scrolls a card into view if it is outside. */
function useInSight({ graph, layout }: Drawn) {
  const flow = useReactFlow();
  const store = useStoreApi();
  return useCallback(
    (id: string) => {
      const vertex = graph.vertices.find((it) => it.id === id);
      const at = layout[id];
      if (!vertex || !at) return;
      const { width, height } = store.getState();
      const { x, y, zoom } = flow.getViewport();
      const left = at.x * zoom + x;
      const top = at.y * zoom + y;
      const seen =
        left >= 0 && top >= 0 && left + vertex.width * zoom <= width && top + vertex.height * zoom <= height;
      if (seen || width === 0) return;
      const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      void flow.setCenter(at.x + vertex.width / 2, at.y + vertex.height / 2, {
        zoom,
        duration: calm ? 0 : 150,
      });
    },
    [graph, layout, flow, store],
  );
}

/** Returns a function that scrolls a card into view and focuses it. */
export function useShow(drawn: Drawn) {
  const inSight = useInSight(drawn);
  const store = useStoreApi();
  return useCallback(
    (id: string) => {
      inSight(id);
      const cards = store.getState().domNode?.querySelectorAll<HTMLElement>('[data-card]') ?? [];
      for (const card of cards) if (card.dataset.card === id) card.focus({ preventScroll: true });
    },
    [inSight, store],
  );
}

/** Scrolls to a card that was selected outside of the canvas, for example in a list of findings. */
export function useReveal(drawn: Drawn, selected: readonly string[] | undefined) {
  const inSight = useInSight(drawn);
  const latest = useRef(inSight);
  latest.current = inSight;
  const only = selected?.length === 1 ? selected[0] : undefined;
  useEffect(() => {
    if (only !== undefined) latest.current(only);
  }, [only]);
}
