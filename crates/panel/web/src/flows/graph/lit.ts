import type { Definition } from '../definition';
import { API_START, edgeId, triggerId } from './graph';

/** A path that is drawn in the accent. */
export interface Lit {
  /** Ids of the nodes on it. */
  nodes: ReadonlySet<string>;
  /** Its edges, by `edgeId`. */
  edges: ReadonlySet<string>;
  /** The node of the step that one looks at, or at which the run waits. */
  at?: string;
}

/** A visit of a node, as traces of runs and simulations have it. */
export interface Visit {
  node_id: string;
  exit: string | null;
}

/** The path of a run: the nodes that it visited, and the exits by which it left them. */
export function litBy(definition: Definition, visits: Visit[], at?: string, trigger?: number): Lit {
  const nodes = new Set(visits.map((it) => it.node_id));
  const edges = new Set(visits.flatMap(({ node_id, exit }) => (exit ? [edgeId(node_id, exit)] : [])));
  const first = visits[0]?.node_id;
  if (first !== undefined && first === definition.start) {
    const start =
      trigger !== undefined ? triggerId(trigger) : definition.triggers?.length ? undefined : API_START;
    if (start) {
      nodes.add(start);
      edges.add(edgeId(start, 'next'));
    }
  }
  return { nodes, edges, at };
}
