import type { Definition } from '../definition';
import { API_START, edgeId, triggerId } from './graph';

/** A highlighted path. */
export interface Lit {
  /** The IDs of its nodes. */
  nodes: ReadonlySet<string>;
  /** Its edges, by `edgeId`. */
  edges: ReadonlySet<string>;
  /** The selected step, or the node at which the run waits. */
  at?: string;
}

/** A visit of a node, from the trace of a run or simulation. */
export interface Visit {
  node_id: string;
  exit: string | null;
}

/** The path of a run: the visited nodes and the exits it took. */
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
