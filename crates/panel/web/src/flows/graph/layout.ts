import { Graph as Laid, layout as lay } from '@dagrejs/dagre';
import type { Point } from '../definition';
import { type Edge, type Graph, isStart, type Vertex } from './graph';

/** Where vertices stand: their upper left corners, by id. */
export type Layout = Record<string, Point>;

const GRID = 8;
const BETWEEN_ROWS = 56;
const BETWEEN = 40;

/** Arranges a graph from top to bottom. */
export function arranged({ vertices, edges }: Graph): Layout {
  const laid = new Laid({ multigraph: true });
  laid.setGraph({
    rankdir: 'TB',
    nodesep: BETWEEN,
    ranksep: BETWEEN_ROWS,
    edgesep: 24,
    ranker: 'network-simplex',
  });
  laid.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of vertices) laid.setNode(id, { width, height });
  for (const edge of edges) laid.setEdge(edge.from, edge.to, { weight: weightOf(edge) }, edge.exit);
  lay(laid);
  const corner = ({ id, width, height }: Vertex): [string, Point] => {
    const { x, y } = laid.node(id) as Point;
    return [id, onGrid({ x: x - width / 2, y: y - height / 2 })];
  };
  return Object.fromEntries(vertices.map(corner));
}

/** The usual way goes straight; what went wrong goes around. */
function weightOf({ exit, from }: Edge): number {
  return isStart(from) || exit === 'next' ? 4 : exit.startsWith('on_') ? 1 : 2;
}

export function onGrid({ x, y }: Point): Point {
  return { x: Math.round(x / GRID) * GRID, y: Math.round(y / GRID) * GRID };
}

/**
 * Where everything stands: where the definition says so, there; all else is arranged, and moved along with
 * what it hangs from.
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

/** As far from its neighbour as the arranged graph has it. */
function beside({ id }: Vertex, all: Layout, found: Layout, neighbour: string | undefined): Point {
  const wanted = all[id] ?? { x: 0, y: 0 };
  const there = neighbour && found[neighbour];
  const drawn = neighbour && all[neighbour];
  if (!there || !drawn) return wanted;
  return { x: there.x + wanted.x - drawn.x, y: there.y + wanted.y - drawn.y };
}

/** The next place to the right where nothing stands. */
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
