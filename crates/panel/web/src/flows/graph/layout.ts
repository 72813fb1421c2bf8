import type { Point } from '../definition';
import { type Layout, onGrid } from './arrange';
import type { Graph, Vertex } from './graph';

const BETWEEN = 40;

/**
 * The positions of all vertices. Stored positions are kept. Other vertices are arranged relative to a
 * neighbour.
 */
export function placed(graph: Graph, kept: Layout | undefined, all: Layout): Layout {
  if (!kept || Object.keys(kept).length === 0) return all;
  const found: Layout = {};
  for (const { id } of graph.vertices) if (isPoint(kept[id])) found[id] = kept[id];
  const above = (id: string) => graph.edges.find((edge) => edge.to === id && found[edge.from])?.from;
  const below = (id: string) => graph.edges.find((edge) => edge.from === id && found[edge.to])?.to;
  let waiting = graph.vertices.filter(({ id }) => !found[id]);
  while (waiting.length > 0) {
    const next = waiting.find(({ id }) => above(id) ?? below(id)) ?? waiting[0];
    if (!next) break;
    found[next.id] = free(beside(next, all, found, above(next.id) ?? below(next.id)), next, graph, found);
    waiting = waiting.filter((it) => it !== next);
  }
  return found;
}

/** The position relative to the neighbour, as in the arranged graph. */
function beside({ id }: Vertex, all: Layout, found: Layout, neighbour: string | undefined): Point {
  const wanted = all[id] ?? { x: 0, y: 0 };
  const there = neighbour && found[neighbour];
  const drawn = neighbour && all[neighbour];
  if (!there || !drawn) return wanted;
  return { x: there.x + wanted.x - drawn.x, y: there.y + wanted.y - drawn.y };
}

/** The next free position to the right. */
function free(wanted: Point, vertex: Vertex, { vertices }: Graph, found: Layout): Point {
  const point = { ...wanted };
  const inTheWay = () =>
    vertices.find(({ id, width, height }) => {
      const at = id === vertex.id ? undefined : found[id];
      if (!at) return false;
      const apart = point.x >= at.x + width + 16 || at.x >= point.x + vertex.width + 16;
      return !apart && point.y < at.y + height + 16 && at.y < point.y + vertex.height + 16;
    });
  for (let tries = 0; tries < 200; tries += 1) {
    const there = inTheWay();
    const at = there && found[there.id];
    if (!there || !at) break;
    point.x = at.x + there.width + BETWEEN;
  }
  return onGrid(point);
}

function isPoint(value: unknown): value is Point {
  const it = value as Partial<Point> | undefined;
  return Number.isFinite(it?.x) && Number.isFinite(it?.y);
}
