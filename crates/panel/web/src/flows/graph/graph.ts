import type { Definition, FlowNode, Trigger } from '../definition';
import { type Exit, exitsOf } from './exits';

/** A node or a trigger, as the canvas draws it. */
export interface Vertex {
  id: string;
  /** Exactly one of these; neither for the start of a flow without triggers. */
  node?: FlowNode;
  trigger?: Trigger;
  /** The ways out, each of which has a port. */
  exits: Exit[];
  width: number;
  height: number;
}

/** A way from one vertex to another. */
export interface Edge {
  id: string;
  from: string;
  exit: string;
  to: string;
}

/** What is drawn of a definition. */
export interface Graph {
  vertices: Vertex[];
  edges: Edge[];
}

const WIDTH = 240;
const PORT = 78;
const HEIGHT = 62;
const PORTS = 28;

/** The name under which an exit's edge is found: for figures, and for the path of a run. */
export function edgeId(from: string, exit: string): string {
  return `${from}>${exit}`;
}

/** The vertex of a trigger; ids of nodes have no such sign in front by any of the panel's ways. */
export function triggerId(at: number): string {
  return `@trigger/${at}`;
}

/** The place of a trigger in its list, where the id is one of a trigger. */
export function triggerAt(id: string): number | undefined {
  const found = /^@trigger\/(\d+)$/.exec(id);
  return found ? Number(found[1]) : undefined;
}

/** The vertex above all others of a flow without triggers. */
export const API_START = '@start';

/** Whether a vertex stands for what starts the flow. */
export function isStart(id: string): boolean {
  return id === API_START || triggerAt(id) !== undefined;
}

const drawn = new WeakMap<FlowNode, Vertex>();

/** The vertex of a node: the same object as long as the node is the same. */
export function vertexOf(node: FlowNode): Vertex {
  const known = drawn.get(node);
  if (known) return known;
  const exits = exitsOf(node);
  const ports = hasPorts(exits);
  const made = {
    id: node.id,
    node,
    exits,
    width: Math.max(WIDTH, exits.length * PORT),
    height: HEIGHT + (ports ? PORTS : 0),
  };
  drawn.set(node, made);
  return made;
}

/** Whether the exits are told apart by words. */
export function hasPorts(exits: Exit[]): boolean {
  return exits.length > 1 || exits.some((it) => it.name !== 'next');
}

/** The graph of a definition. */
export function graphOf(definition: Definition): Graph {
  const starts = startsOf(definition);
  const nodes = unique(definition.nodes).map(vertexOf);
  const known = new Set(nodes.map((it) => it.id));
  const vertices = [...starts, ...nodes];
  const edges = vertices.flatMap(({ id, exits }) =>
    exits.flatMap(({ name, to }) =>
      to !== undefined && known.has(to) ? [{ id: edgeId(id, name), from: id, exit: name, to }] : [],
    ),
  );
  return { vertices, edges };
}

function startsOf({ triggers = [], start }: Definition): Vertex[] {
  const exits: Exit[] = [{ name: 'next', label: '', to: start, optional: false }];
  const base = { exits, width: WIDTH, height: HEIGHT };
  if (triggers.length === 0) return [{ ...base, id: API_START }];
  return triggers.map((trigger, at) => ({ ...base, id: triggerId(at), trigger }));
}

/** Of nodes with one id the first alone can be drawn; the analyser tells of the others. */
function unique(nodes: FlowNode[]): FlowNode[] {
  const seen = new Set<string>();
  return nodes.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** What decides how a graph is laid out: changes of words do not. */
export function shapeOf({ vertices, edges }: Graph): string {
  const sizes = vertices.map((it) => `${it.id}:${it.width}x${it.height}`).join();
  return `${sizes}|${edges.map((it) => `${it.id}>${it.to}`).join()}`;
}
