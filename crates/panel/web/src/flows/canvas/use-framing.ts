import { type ReactFlowInstance, useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { useCallback, useEffect, useRef } from 'react';
import type { CardNode, View, WayEdge } from './elements';
import { firstWish, fitWish, framed, isNarrow } from './framing';

/**
 * Shows the flow when the canvas opens and on request: the whole flow, or a readable part of it. A read-only canvas is
 * also fitted when its width changes, unless the user moved it. On a phone, its texts stay readable.
 */
export function useFraming(view: View) {
  const flow = useReactFlow();
  const store = useStoreApi();
  const latest = useRef(view);
  latest.current = view;
  const isMoved = useRef(false);
  const show = useCallback(
    (
      wishOf: (view: View) => ReturnType<typeof fitWish>,
      instance: Pick<ReactFlowInstance, 'setViewport'>,
    ) => {
      isMoved.current = false;
      const { graph, layout } = latest.current;
      const { domNode, width, height } = store.getState();
      // The store only knows a new size after the next render.
      const size = { width: domNode?.clientWidth || width, height: domNode?.clientHeight || height };
      void instance.setViewport(framed(graph.vertices, layout, size, wishOf(latest.current)));
    },
    [store],
  );
  const first = useCallback(
    (instance: ReactFlowInstance<CardNode, WayEdge>) =>
      show((it) => firstWish(it.editable, focusOf(it)), instance as never),
    [show],
  );
  const fit = useCallback(() => show((it) => fitWish(it.editable, focusOf(it)), flow), [show, flow]);
  /** Notes a move by the user: a move by the program has no event. */
  const onMoveStart = useCallback((event: MouseEvent | TouchEvent | null) => {
    if (event) isMoved.current = true;
  }, []);
  const width = useStore((it) => it.width);
  const fitted = useRef(0);
  useEffect(() => {
    const before = fitted.current;
    fitted.current = width;
    const isResized = before > 0 && width > 0 && before !== width;
    if (!isResized || latest.current.editable || isMoved.current) return;
    const wish = isNarrow(width) ? firstWish : fitWish;
    show((it) => wish(it.editable, focusOf(it)), flow);
  }, [width, show, flow]);
  return { first, fit, onMoveStart };
}

/** The selected cards, otherwise the current step of the run. */
function focusOf({ selected, lit }: View): ReadonlySet<string> {
  if (selected.size > 0 || lit?.at === undefined) return selected;
  return new Set([lit.at]);
}
