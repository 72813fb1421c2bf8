import type { Definition, FlowNode } from './definition';
import { type Names, summaryOf, titleOf } from './graph/summary';

/** The texts of a node on the canvas. */
export interface NodeLabel {
  title: string;
  summary: string;
  /** The ID, only if another node has the same texts. */
  id?: string;
}

/** The labels of the nodes of a definition, by ID. */
export type NodeLabels = ReadonlyMap<string, NodeLabel>;

/** The labels of the nodes of two definitions. Equal labels of different nodes have the ID. */
export function labelsOf(one: Definition, other: Definition, names: Names): [NodeLabels, NodeLabels] {
  const label = (it: FlowNode) => ({ title: titleOf(it), summary: summaryOf(it, names) });
  const ids = new Map<string, Set<string>>();
  for (const node of [...one.nodes, ...other.nodes]) {
    const text = labelInWords(label(node));
    ids.set(text, (ids.get(text) ?? new Set()).add(node.id));
  }
  const labels = ({ nodes }: Definition) =>
    new Map(
      nodes.map((node) => {
        const isShared = (ids.get(labelInWords(label(node)))?.size ?? 0) > 1;
        return [node.id, { ...label(node), id: isShared ? node.id : undefined }];
      }),
    );
  return [labels(one), labels(other)];
}

/** A label in a line: `Send message: Hello`. */
export function labelInWords({ title, summary, id }: NodeLabel): string {
  const text = summary ? `${title}: ${summary}` : title;
  return id === undefined ? text : `${text} (${id})`;
}
