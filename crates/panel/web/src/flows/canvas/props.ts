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
  /** The path of a run, from `litBy`. */
  lit?: Lit;
  /** The IDs of the selected nodes and triggers. If absent, the canvas manages its own selection. */
  selected?: readonly string[];
  onSelect?: (ids: string[]) => void;
  /** Adds a node of this type after an exit, at a point, or both. */
  onAdd?: (type: NodeType, place: Place) => void;
  /** The numbers on edges, by `edgeId`. */
  figures?: ReadonlyMap<string, string | number>;
  /** The width of edges from 0 to 1, by `edgeId`. */
  weights?: ReadonlyMap<string, number>;
  /** The results of runs at nodes. They replace the summaries of the nodes. */
  tallies?: ReadonlyMap<string, Tally>;
  /** Opens the list of contacts that wait at a node. */
  onWaiting?: (node: string) => void;
  /** The names of objects in the definition, by ID. */
  names?: Names;
}
