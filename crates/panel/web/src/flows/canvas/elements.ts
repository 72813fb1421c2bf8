import { type Edge as DrawnEdge, type Node as DrawnNode, type NodeHandle, Position } from '@xyflow/react';
import type { Point } from '../definition';
import type { Layout, Route } from '../graph/arrange';
import type { Counts } from '../graph/findings';
import { type Edge, type Graph, hasPorts, isStart, type Vertex } from '../graph/graph';
import type { Lit } from '../graph/lit';
import { cardTitle } from '../graph/summary';
import type { Tally } from '../statistics';

export interface CardData extends Record<string, unknown> {
  vertex: Vertex;
  summary: string;
  counts: Counts | undefined;
  /** The results of runs at this node, if they are shown. */
  tally: Tally | undefined;
  onWaiting: ((node: string) => void) | undefined;
  /** Whether the node is on the path of a run, or is its current step. */
  lit: 'on' | 'at' | undefined;
  /** Whether this card is the only tab stop of the canvas. */
  stop: boolean;
  editable: boolean;
}
export type CardNode = DrawnNode<CardData, 'card'>;

export interface WayData extends Record<string, unknown> {
  route: Route | undefined;
  lit: boolean;
  figure: string | undefined;
  /** The relative width, from 0 to 1. */
  weight: number | undefined;
  editable: boolean;
  /** The title of the card, and the label of the exit if the card has several. */
  title: string;
  exit: string;
  /** Whether its plus button is a tab stop. It is if the card before the edge is selected. */
  stop: boolean;
}
export type WayEdge = DrawnEdge<WayData, 'way'>;

export interface View {
  graph: Graph;
  layout: Layout;
  routes: Readonly<Record<string, Route>>;
  /** The positions of cards while they are dragged. */
  dragged: ReadonlyMap<string, Point>;
  counts: ReadonlyMap<string, Counts>;
  lit: Lit | undefined;
  selected: ReadonlySet<string>;
  /** The ID of the selected edge. */
  chosen: string | undefined;
  figures: ReadonlyMap<string, string | number> | undefined;
  weights: ReadonlyMap<string, number> | undefined;
  tallies: ReadonlyMap<string, Tally> | undefined;
  onWaiting: ((node: string) => void) | undefined;
  editable: boolean;
  summary: (vertex: Vertex) => string;
}

/** The cards of a view. An unchanged card is the same object as before, so it is not rendered again. */
export function cardsOf(view: View, before: ReadonlyMap<string, CardNode>): Map<string, CardNode> {
  const { graph, layout, dragged, counts, lit, selected, editable } = view;
  const stop = graph.vertices.find(({ id }) => selected.has(id)) ?? graph.vertices[0];
  const cards = new Map<string, CardNode>();
  for (const vertex of graph.vertices) {
    const { id } = vertex;
    const data: CardData = {
      vertex,
      summary: view.summary(vertex),
      counts: counts.get(id),
      tally: view.tallies?.get(id),
      onWaiting: view.onWaiting,
      lit: lit?.at === id ? 'at' : lit?.nodes.has(id) ? 'on' : undefined,
      stop: vertex === stop,
      editable,
    };
    const position = dragged.get(id) ?? layout[id] ?? { x: 0, y: 0 };
    cards.set(id, card(vertex, position, selected.has(id), data, before.get(id)));
  }
  return cards;
}

function card(
  vertex: Vertex,
  position: Point,
  selected: boolean,
  data: CardData,
  before: CardNode | undefined,
): CardNode {
  const sameData = before && isSame(before.data, data);
  if (
    sameData &&
    before.selected === selected &&
    before.position.x === position.x &&
    before.position.y === position.y
  )
    return before;
  const { width, height } = vertex;
  return {
    id: vertex.id,
    type: 'card',
    position,
    width,
    height,
    measured: { width, height },
    handles: sameData ? before.handles : portsOf(vertex),
    selected,
    data: sameData ? before.data : data,
  };
}

/** The size of a port. Half of it is outside of its card, as in the styles. */
const PORT = 10;

/** The positions of the ports. React Flow then does not measure them. */
function portsOf({ id, exits, width, height }: Vertex): NodeHandle[] {
  const size = { width: PORT, height: PORT };
  const out = exits.map(({ name }, at) => ({
    ...size,
    id: name,
    type: 'source' as const,
    position: Position.Bottom,
    x: portAt(at, exits.length, width) - PORT / 2,
    y: height - PORT / 2,
  }));
  if (isStart(id)) return out;
  const top: NodeHandle = {
    ...size,
    type: 'target',
    position: Position.Top,
    x: (width - PORT) / 2,
    y: -PORT / 2,
  };
  return [top, ...out];
}

/** The horizontal offset of an exit's port from the left. */
export function portAt(at: number, of: number, width: number): number {
  return (width / of) * (at + 0.5);
}

/** The edges of a view. An unchanged edge is the same object as before. */
export function waysOf(view: View, before: ReadonlyMap<string, WayEdge>): Map<string, WayEdge> {
  const { graph, lit, figures, weights, chosen, editable, routes, dragged, selected } = view;
  const vertices = new Map(graph.vertices.map((it) => [it.id, it]));
  const made = graph.edges.map((edge) => {
    const figure = figures?.get(edge.id);
    const route = dragged.has(edge.from) || dragged.has(edge.to) ? undefined : routes[edge.id];
    const data = {
      route,
      lit: lit?.edges.has(edge.id) ?? false,
      figure: figure?.toString(),
      weight: weights?.get(edge.id),
      editable,
      ...exitInWords(vertices.get(edge.from), edge.exit),
      stop: selected.has(edge.from),
    };
    return [edge.id, way(edge, chosen === edge.id, data, before.get(edge.id))] as const;
  });
  return new Map(made);
}

function exitInWords(vertex: Vertex | undefined, name: string): { title: string; exit: string } {
  if (!vertex) return { title: '', exit: '' };
  const exit = vertex.exits.find((it) => it.name === name);
  return { title: cardTitle(vertex), exit: exit && hasPorts(vertex.exits) ? exit.label : '' };
}

function way(edge: Edge, selected: boolean, data: WayData, before: WayEdge | undefined): WayEdge {
  if (before && before.target === edge.to && before.selected === selected && isSame(before.data, data))
    return before;
  return {
    id: edge.id,
    type: 'way',
    source: edge.from,
    sourceHandle: edge.exit,
    target: edge.to,
    selected,
    // Highlighted and selected edges are above others.
    zIndex: data.lit || selected ? 1 : 0,
    data,
  };
}

function isSame<T extends object>(a: T | undefined, b: T): boolean {
  return a !== undefined && (Object.keys(b) as (keyof T)[]).every((key) => Object.is(a[key], b[key]));
}
