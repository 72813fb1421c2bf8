import type { Definition, FlowNode, Trigger } from '../definition';
import { type Exit, exitsOf } from './exits';

/** A vertex of the graph: a node or a trigger. */
export interface Vertex {
  id: string;
  /** The node or the trigger. Both are absent for the start of a flow without triggers. */
  node?: FlowNode;
  trigger?: Trigger;
  /** The exits. Each has a port. */
  exits: Exit[];
  width: number;
  height: number;
}

export interface Edge {
  id: string;
  from: string;
  exit: string;
  to: string;
}

export interface Graph {
  vertices: Vertex[];
  edges: Edge[];
}

const WIDTH = 240;
const PORT = 78;
const HEIGHT = 62;
const PORTS = 28;

/** The ID of an exit's edge, used for its number and the path of a run. */
export function edgeId(from: string, exit: string): string {
  return `${from}>${exit}`;
}

/** The vertex ID of a trigger. The panel gives no node an ID that begins with `@`. */
export function triggerId(at: number): string {
  return `@trigger/${at}`;
}

/** The index of a trigger, or `undefined` if the ID is not a trigger's. */
export function triggerAt(id: string): number | undefined {
  const found = /^@trigger\/(\d+)$/.exec(id);
  return found ? Number(found[1]) : undefined;
}

/** The vertex above all others in a flow without triggers. */
export const API_START = '@start';

/** Whether a vertex is a start of the flow. */
export function isStart(id: string): boolean {
  return id === API_START || triggerAt(id) !== undefined;
}

const drawn = new WeakMap<FlowNode, Vertex>();

/** The vertex of a node. It is the same object while the node is the same. */
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

/** Whether the exits have labels. */
export function hasPorts(exits: Exit[]): boolean {
  return exits.length > 1 || exits.some((it) => it.name !== 'next');
}

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

/** Keeps the first node for each ID. The analyser reports the others. */
function unique(nodes: FlowNode[]): FlowNode[] {
  const seen = new Set<string>();
  return nodes.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** A key of all that affects the layout. Texts do not. */
export function shapeOf({ vertices, edges }: Graph): string {
  const sizes = vertices.map((it) => `${it.id}:${it.width}x${it.height}`).join();
  return `${sizes}|${edges.map((it) => `${it.id}>${it.to}`).join()}`;
}
