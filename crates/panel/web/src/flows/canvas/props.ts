import type { Definition, Finding, NodeType } from '../definition';
import type { Place } from '../graph/edit';
import type { Lit } from '../graph/lit';
import type { Names } from '../graph/summary';
import type { Tally } from '../statistics';

export interface CanvasProps {
  definition: Definition;
  /** Called with the changed definition. Without it, the canvas is read-only. */
  onChange?: (next: Definition) => void;
  findings?: Finding[];
  /** The path of a run; see `litBy`. */
  lit?: Lit;
  /** IDs of the selected nodes and triggers. If absent, the canvas has a selection of its own. */
  selected?: readonly string[];
  onSelect?: (ids: string[]) => void;
  /** Adds a node of this type behind an exit, at a point, or both. */
  onAdd?: (type: NodeType, place: Place) => void;
  /** The figures on edges, by `edgeId`. */
  figures?: ReadonlyMap<string, string | number>;
  /** The width of edges from 0 to 1, by `edgeId`. */
  weights?: ReadonlyMap<string, number>;
  /** The results of runs at nodes. They replace the summaries of the nodes. */
  tallies?: ReadonlyMap<string, Tally>;
  /** Shows the contacts that wait at a node. */
  onWaiting?: (node: string) => void;
  /** The names of the IDs in the definition. */
  names?: Names;
}
