import type { Point } from '../definition';
import { type Edge, type Graph, isStart, type Vertex } from './graph';
import { ranksOf } from './ranks';
import { spread } from './spread';

/** The positions of vertices by ID. A position is the upper left corner. */
export type Layout = Record<string, Point>;

/**
 * The route of an edge around other vertices: vertical lanes on its way down, or a lane aside on its way up.
 */
export type Route = { down: { x: number; top: number; bottom: number }[] } | { aside: number };

export interface Arranged {
  at: Layout;
  routes: Record<string, Route>;
}

const GRID = 8;
const BETWEEN_ROWS = 56;
const BETWEEN = 40;
const LANE = 20;
/** Edges that span more rows go around the whole graph. */
const MOST_ROWS = 8;
const SWEEPS = 8;

/** A vertex in its row, or the lane of an edge that passes through the row. */
interface Item {
  x: number;
  width: number;
  isLane: boolean;
  up: Link[];
  down: Link[];
}

/** `port` is the horizontal distance of the port from the middle of the upper item. */
interface Link {
  upper: Item;
  lower: Item;
  port: number;
  weight: number;
}

/** Arranges a graph from top to bottom. A vertex is below the port that leads to it, and lanes stay free. */
export function arranged(graph: Graph): Arranged {
  const { rank, back } = ranksOf(graph);
  const rows: Item[][] = [];
  const row = (at: number) => {
    while (rows.length <= at) rows.push([]);
    return rows[at] ?? [];
  };
  const items = new Map<string, Item>();
  for (const { id, width } of graph.vertices) {
    const item = { x: 0, width, isLane: false, up: [], down: [] };
    items.set(id, item);
    row(rank.get(id) ?? 0).push(item);
  }
  const lanes = new Map<string, Item[]>();
  const far: Edge[] = [];
  for (const edge of graph.edges) {
    if (back.has(edge.id)) continue;
    const [from, to] = [rank.get(edge.from) ?? 0, rank.get(edge.to) ?? 0];
    if (to - from > MOST_ROWS) {
      far.push(edge);
      continue;
    }
    const chain = Array.from(
      { length: to - from - 1 },
      (): Item => ({ x: 0, width: LANE, isLane: true, up: [], down: [] }),
    );
    for (const [at, lane] of chain.entries()) row(from + at + 1).push(lane);
    lanes.set(edge.id, chain);
    linkAll(edge, graph, items, chain);
  }
  place(rows);

  const tops = topsOf(graph, rank, rows.length);
  const at = Object.fromEntries(
    graph.vertices.map(({ id, width }) => [
      id,
      onGrid({ x: (items.get(id)?.x ?? 0) - width / 2, y: tops[rank.get(id) ?? 0]?.top ?? 0 }),
    ]),
  );
  return { at, routes: routesOf(graph, { rank, back, far, lanes, tops, at }) };
}

function linkAll(edge: Edge, graph: Graph, items: Map<string, Item>, chain: Item[]): void {
  const from = graph.vertices.find((it) => it.id === edge.from);
  const ends = [items.get(edge.from), ...chain, items.get(edge.to)].filter((it) => it !== undefined);
  for (const [at, lower] of ends.slice(1).entries()) {
    const upper = ends[at];
    if (!upper) continue;
    const port = at === 0 && from ? portOf(from, edge.exit) : 0;
    // Prefer straight lanes, then the `next` exit straight below its node.
    const weight = upper.isLane && lower.isLane ? 6 : isStart(edge.from) || edge.exit === 'next' ? 3 : 1;
    const link = { upper, lower, port, weight };
    upper.down.push(link);
    lower.up.push(link);
  }
}

/** The horizontal distance of an exit's port from the middle of its vertex. */
function portOf({ exits, width }: Vertex, name: string): number {
  const at = exits.findIndex((it) => it.name === name);
  return (width / exits.length) * (at + 0.5) - width / 2;
}

/**
 * Sweeps down and up over the rows. Each sweep moves items as near to their neighbours as their order allows.
 */
function place(rows: Item[][]): void {
  const above = (it: Item) => mean(it.up.map((link) => [link.upper.x + link.port, link.weight]));
  const below = (it: Item) => mean(it.down.map((link) => [link.lower.x - link.port, link.weight]));
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const row of rows) {
      if (sweep < 3) {
        // Items without an incoming edge are at the end of their row.
        const last = Math.max(0, ...row.map((it) => above(it) ?? 0)) + 1000;
        const wishes = new Map(row.map((it) => [it, above(it) ?? (row === rows[0] ? it.x : last)]));
        row.sort((a, b) => (wishes.get(a) ?? 0) - (wishes.get(b) ?? 0));
      }
      settleRow(row, (it) => above(it) ?? below(it) ?? it.x);
    }
    if (sweep < SWEEPS - 1)
      for (const row of rows.toReversed()) settleRow(row, (it) => below(it) ?? above(it) ?? it.x);
  }
}

function settleRow(row: Item[], wish: (item: Item) => number): void {
  const apart = row.map((it, at) => (it.width + (row[at - 1]?.width ?? 0)) / 2 + BETWEEN);
  const places = spread(row.map(wish), apart);
  for (const [at, item] of row.entries()) item.x = places[at] ?? 0;
}

function mean(values: [number, number][]): number | undefined {
  const whole = values.reduce((sum, [, weight]) => sum + weight, 0);
  return whole > 0 ? values.reduce((sum, [value, weight]) => sum + value * weight, 0) / whole : undefined;
}

function topsOf(
  { vertices }: Graph,
  rank: Map<string, number>,
  count: number,
): { top: number; bottom: number }[] {
  const heights = Array<number>(count).fill(0);
  for (const { id, height } of vertices) {
    const at = rank.get(id) ?? 0;
    heights[at] = Math.max(heights[at] ?? 0, height);
  }
  let y = 0;
  return heights.map((height) => {
    const top = y;
    y = top + Math.ceil((height + BETWEEN_ROWS) / GRID) * GRID;
    return { top, bottom: top + height };
  });
}

interface Drawn {
  rank: Map<string, number>;
  back: Set<string>;
  far: Edge[];
  lanes: Map<string, Item[]>;
  tops: { top: number; bottom: number }[];
  at: Layout;
}

function routesOf(graph: Graph, { rank, back, far, lanes, tops, at }: Drawn): Record<string, Route> {
  const routes: Record<string, Route> = {};
  for (const [id, chain] of lanes) {
    const from = rank.get(id.slice(0, id.lastIndexOf('>'))) ?? 0;
    if (chain.length === 0) continue;
    routes[id] = { down: chain.map(({ x }, step) => ({ x, top: 0, bottom: 0, ...tops[from + step + 1] })) };
  }
  const edgesOf = (first: number, last: number) => {
    const between = graph.vertices.filter(({ id }) => {
      const it = rank.get(id) ?? 0;
      return it >= first && it <= last;
    });
    return {
      left: Math.min(...between.map(({ id }) => at[id]?.x ?? 0)) - BETWEEN,
      right: Math.max(...between.map(({ id, width }) => (at[id]?.x ?? 0) + width)) + BETWEEN,
    };
  };
  for (const edge of graph.edges) {
    const isBack = back.has(edge.id);
    if (!isBack && !far.includes(edge)) continue;
    const [a, b] = [rank.get(edge.from) ?? 0, rank.get(edge.to) ?? 0];
    const { left, right } = edgesOf(Math.min(a, b), Math.max(a, b));
    const middle = (at[edge.from]?.x ?? 0) + 120;
    const x = middle - left < right - middle ? left : right;
    routes[edge.id] = isBack
      ? { aside: x }
      : { down: [{ x, top: tops[a + 1]?.top ?? 0, bottom: tops[b - 1]?.bottom ?? 0 }] };
  }
  return routes;
}

export function onGrid({ x, y }: Point): Point {
  return { x: Math.round(x / GRID) * GRID, y: Math.round(y / GRID) * GRID };
}
