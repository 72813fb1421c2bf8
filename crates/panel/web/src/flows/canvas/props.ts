import type { Definition, Finding, NodeType } from '../definition';
import type { Place } from '../graph/edit';
import type { Lit } from '../graph/lit';
import type { Names } from '../graph/summary';
import type { Tally } from '../statistics';

export interface CanvasProps {
  definition: Definition;
  /** Takes what was changed on the canvas; without it the canvas is only read. */
  onChange?: (next: Definition) => void;
  findings?: Finding[];
  /** The path of a run; see `litBy`. */
  lit?: Lit;
  /** Ids of chosen nodes and triggers; the canvas keeps them itself where they are not given. */
  selected?: readonly string[];
  onSelect?: (ids: string[]) => void;
  /** Adds a node of this type behind an exit, at a point, or both. */
  onAdd?: (type: NodeType, place: Place) => void;
  /** What is counted on edges, by `edgeId`. */
  figures?: ReadonlyMap<string, string | number>;
  /** How thick edges are drawn, from 0 to 1, by `edgeId`. */
  weights?: ReadonlyMap<string, number>;
  /** What became of runs at nodes, in place of what the nodes do. */
  tallies?: ReadonlyMap<string, Tally>;
  /** Shows who is at a node now. */
  onWaiting?: (node: string) => void;
  /** What ids in the definition stand for. */
  names?: Names;
}
