import { useMemo, useRef } from 'react';
import { type CardNode, cardsOf, type View, type WayEdge, waysOf } from './elements';

/** The cards and edges of a view. Unchanged ones are the same objects as before. */
export function useElements(view: View): { nodes: CardNode[]; edges: WayEdge[] } {
  const cards = useRef<ReadonlyMap<string, CardNode>>(new Map());
  const ways = useRef<ReadonlyMap<string, WayEdge>>(new Map());
  const nodes = useMemo(() => {
    const found = cardsOf(view, cards.current);
    cards.current = found;
    return [...found.values()];
  }, [view]);
  const edges = useMemo(() => {
    const found = waysOf(view, ways.current);
    ways.current = found;
    return [...found.values()];
  }, [view]);
  return { nodes, edges };
}
