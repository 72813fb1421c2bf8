import { type ReactFlowInstance, useReactFlow, useStoreApi } from '@xyflow/react';
import { useCallback, useRef } from 'react';
import type { CardNode, View, WayEdge } from './elements';
import { firstWish, fitWish, framed } from './framing';

/** Shows the flow when the canvas opens and on request: the whole flow, or a readable part of it. */
export function useFraming(view: View) {
  const flow = useReactFlow();
  const store = useStoreApi();
  const latest = useRef(view);
  latest.current = view;
  const show = useCallback(
    (
      wishOf: (view: View) => ReturnType<typeof fitWish>,
      instance: Pick<ReactFlowInstance, 'setViewport'>,
    ) => {
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
  return { first, fit };
}

/** The selected cards, otherwise the current step of the run. */
function focusOf({ selected, lit }: View): ReadonlySet<string> {
  if (selected.size > 0 || lit?.at === undefined) return selected;
  return new Set([lit.at]);
}
