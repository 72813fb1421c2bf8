import type { Layout } from './arrange';
import type { Graph } from './graph';

export type Step = 'up' | 'down' | 'left' | 'right';

/** The vertex after an arrow key: along an edge for up and down, the neighbour for left and right. */
export function stepped(
  graph: Graph,
  layout: Layout,
  from: string | undefined,
  step: Step,
): string | undefined {
  const first = graph.vertices[0]?.id;
  if (from === undefined) return first;
  if (step === 'down') return graph.edges.find((it) => it.from === from)?.to;
  if (step === 'up') return above(graph, layout, from);
  return besides(graph, layout, from, step);
}

/** The first predecessor above this vertex, otherwise the first predecessor. */
function above({ edges }: Graph, layout: Layout, id: string): string | undefined {
  const at = layout[id];
  const leads = edges.filter((it) => it.to === id && it.from !== id).map((it) => it.from);
  const isAbove = (it: string) => (layout[it]?.y ?? 0) < (at?.y ?? 0);
  return leads.find(isAbove) ?? leads[0];
}

function besides({ vertices }: Graph, layout: Layout, id: string, step: Step): string | undefined {
  const at = layout[id];
  if (!at) return undefined;
  const sign = step === 'right' ? 1 : -1;
  const near = vertices.flatMap((vertex) => {
    const there = layout[vertex.id];
    const x = there ? (there.x - at.x) * sign : 0;
    // Vertices much higher or lower are no neighbours.
    const y = there ? Math.abs(there.y - at.y) : 0;
    return x > 0 && y <= vertex.height * 2 ? [{ id: vertex.id, far: x + y * 2 }] : [];
  });
  return near.toSorted((a, b) => a.far - b.far)[0]?.id;
}
