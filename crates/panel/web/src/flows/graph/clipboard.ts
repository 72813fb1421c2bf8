import { asDefinition, type Definition, type FlowNode, NODE_TYPES, type Point } from '../definition';
import { freshId, idsOf, stem } from './blank';
import { moved } from './edit';
import { exitsOf, withExit } from './exits';

const APART = 48;

/** Copies nodes as text, which can be pasted into any flow or into a file. */
export function copied(definition: Definition, ids: Iterable<string>): string | undefined {
  const wanted = new Set(ids);
  const nodes = definition.nodes.filter((it) => wanted.has(it.id));
  return nodes.length > 0 ? JSON.stringify({ nodes }, null, 2) : undefined;
}

/** The nodes in a text: copied nodes, a definition, or a single node. */
export function nodesIn(text: string): FlowNode[] {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch {
    return [];
  }
  const it = written as { nodes?: unknown; definition?: { nodes?: unknown } } | null;
  const nodes = Array.isArray(written) ? written : (it?.nodes ?? it?.definition?.nodes ?? [written]);
  const known = new Set<string>(NODE_TYPES);
  return asDefinition({ nodes }).nodes.filter((node) => known.has(node.type));
}

/** Adds copies of nodes with new IDs. Exits lead to the copies, otherwise to existing nodes. */
export function pasted(
  definition: Definition,
  nodes: FlowNode[],
  positions: Record<string, Point> = {},
): { definition: Definition; ids: string[] } {
  const here = new Set(idsOf(definition));
  const taken = new Set(here);
  const renamed = new Map<string, string>();
  for (const { id } of nodes) {
    const fresh = freshId(stem(id), taken);
    taken.add(fresh);
    renamed.set(id, fresh);
  }
  const copies = nodes.map((node) =>
    exitsOf(node).reduce<FlowNode>(
      (it, { name, to }) => {
        if (to === undefined) return it;
        return withExit(it, name, renamed.get(to) ?? (here.has(to) ? to : undefined));
      },
      { ...node, id: renamed.get(node.id) ?? node.id },
    ),
  );
  const next = { ...definition, nodes: [...definition.nodes, ...copies] };
  if (definition.start === undefined && copies[0]) next.start = copies[0].id;
  const ids = copies.map((it) => it.id);
  if (!definition.layout) return { definition: next, ids };
  const points = nodes.flatMap(({ id }) => {
    const at = positions[id];
    return at ? [[renamed.get(id) ?? id, { x: at.x + APART, y: at.y + APART }] as const] : [];
  });
  return { definition: moved(next, Object.fromEntries(points)), ids };
}
