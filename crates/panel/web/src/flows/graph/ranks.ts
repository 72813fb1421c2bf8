import type { Graph } from './graph';

/** The row of each vertex, and the edges that lead back up. */
export interface Ranks {
  rank: Map<string, number>;
  back: Set<string>;
}

/** Ranks vertices by the longest path from the start. Edges that close a cycle are ignored. */
export function ranksOf({ vertices, edges }: Graph): Ranks {
  const out = new Map<string, typeof edges>();
  for (const edge of edges) out.set(edge.from, [...(out.get(edge.from) ?? []), edge]);
  const back = new Set<string>();
  const state = new Map<string, 'open' | 'done'>();
  const order: string[] = [];
  const visit = (id: string) => {
    state.set(id, 'open');
    for (const edge of out.get(id) ?? []) {
      if (state.get(edge.to) === 'open') back.add(edge.id);
      else if (!state.has(edge.to)) visit(edge.to);
    }
    state.set(id, 'done');
    order.push(id);
  };
  for (const { id } of vertices) if (!state.has(id)) visit(id);

  const rank = new Map(vertices.map(({ id }) => [id, 0]));
  const ledTo = new Set<string>();
  for (const id of order.toReversed())
    for (const edge of out.get(id) ?? []) {
      if (back.has(edge.id)) continue;
      ledTo.add(edge.to);
      rank.set(edge.to, Math.max(rank.get(edge.to) ?? 0, (rank.get(id) ?? 0) + 1));
    }
  // A vertex without incoming edges is directly above its first successor.
  for (const { id } of vertices) {
    const below = (out.get(id) ?? []).filter((it) => !back.has(it.id)).map((it) => rank.get(it.to) ?? 0);
    if (!ledTo.has(id) && below.length > 0) rank.set(id, Math.max(0, Math.min(...below) - 1));
  }
  return { rank, back };
}
