import type { Definition, FlowNode, NodeType, Point, Trigger, TriggerType } from '../definition';
import { blankNode, blankTrigger, freshId, idsOf } from './blank';
import { exitsOf, mainExit, withExit } from './exits';
import { API_START, isStart, triggerAt, triggerId } from './graph';
import { proposedWays } from './propose';

/** An edited definition and the ID of the new selection. */
export interface Edited {
  definition: Definition;
  id: string;
}

/** The place of a new node: after an exit, at a point, or both. */
export interface Place {
  after?: { from: string; exit: string };
  at?: Point;
}

export function nodeOf({ nodes }: Definition, id: string): FlowNode | undefined {
  return nodes.find((it) => it.id === id);
}

/** Replaces the node with this ID. */
export function changeNode(definition: Definition, id: string, node: FlowNode): Definition {
  return { ...definition, nodes: definition.nodes.map((it) => (it.id === id ? node : it)) };
}

/** Connects an exit to a node, or disconnects it. All triggers lead to the start. */
export function connect(
  definition: Definition,
  from: string,
  exit: string,
  to: string | undefined,
): Definition {
  if (isStart(from)) return withStart(definition, to);
  const node = nodeOf(definition, from);
  return node ? changeNode(definition, from, withExit(node, exit, to)) : definition;
}

function withStart(definition: Definition, start: string | undefined): Definition {
  const { start: _, ...rest } = definition;
  return start === undefined ? rest : { ...rest, start };
}

/** The ID of the node after an exit. */
function target(definition: Definition, from: string, exit: string): string | undefined {
  if (isStart(from)) return definition.start;
  const node = nodeOf(definition, from);
  return node && exitsOf(node).find((it) => it.name === exit)?.to;
}

/** Adds a node. If the exit was connected, the node is inserted between both nodes. */
export function addNode(definition: Definition, type: NodeType, { after, at }: Place = {}): Edited {
  const id = freshId(type, idsOf(definition));
  let node = blankNode(type, id);
  if (node.type === 'branch') node = { ...node, branches: proposedWays(definition, after) };
  const follows = after && target(definition, after.from, after.exit);
  const exit = mainExit(node);
  if (follows && exit) node = withExit(node, exit.name, follows);
  let next: Definition = { ...definition, nodes: [...definition.nodes, node] };
  if (after) next = connect(next, after.from, after.exit, id);
  else if (definition.start === undefined) next = withStart(next, id);
  return { definition: at ? moved(next, { [id]: at }) : next, id };
}

/** The exit for a node from the palette: the first unconnected one, otherwise the main exit. */
export function openExit(definition: Definition, id: string): Place['after'] {
  if (isStart(id)) return { from: id, exit: 'next' };
  const node = nodeOf(definition, id);
  const exits = node ? exitsOf(node) : [];
  const exit = exits.find((it) => !it.to && !it.optional) ?? (node && mainExit(node));
  return exit && { from: id, exit: exit.name };
}

/** Deletes nodes and triggers. Edges to a deleted node then lead to the node after it. */
export function remove(definition: Definition, ids: Iterable<string>): Definition {
  const gone = new Set(ids);
  const places = new Set([...gone].map(triggerAt).filter((it) => it !== undefined));
  const heir = (to: string | undefined): string | undefined => {
    const seen = new Set<string>();
    let next = to;
    while (next !== undefined && gone.has(next) && !seen.has(next)) {
      seen.add(next);
      const node = nodeOf(definition, next);
      next = node && mainExit(node)?.to;
    }
    return next !== undefined && gone.has(next) ? undefined : next;
  };
  const healed = (node: FlowNode) =>
    exitsOf(node)
      .filter(({ to }) => to !== undefined && gone.has(to))
      .reduce((it, { name, to }) => withExit(it, name, heir(to) === node.id ? undefined : heir(to)), node);
  const nodes = definition.nodes.filter(({ id }) => !gone.has(id)).map(healed);
  const kept = Object.entries(definition.layout ?? {}).filter(([id]) => !gone.has(id));
  const next = withStart({ ...definition, nodes }, heir(definition.start));
  if (definition.layout) next.layout = Object.fromEntries(kept);
  if (places.size > 0) {
    next.triggers = (definition.triggers ?? []).filter((_, at) => !places.has(at));
    if (next.layout) next.layout = withoutTriggers(next.layout);
  }
  return next;
}

/** Removes the positions of triggers, because they use the index, which has changed. */
function withoutTriggers(layout: Record<string, Point>): Record<string, Point> {
  return Object.fromEntries(Object.entries(layout).filter(([id]) => triggerAt(id) === undefined));
}

export function addTrigger(definition: Definition, type: TriggerType): Edited {
  const triggers = [...(definition.triggers ?? []), blankTrigger(type)];
  return { definition: { ...definition, triggers }, id: triggerId(triggers.length - 1) };
}

export function changeTrigger(definition: Definition, at: number, trigger: Trigger): Definition {
  const triggers = (definition.triggers ?? []).map((it, place) => (place === at ? trigger : it));
  return { ...definition, triggers };
}

/** Stores the positions of nodes. */
export function moved(definition: Definition, points: Record<string, Point>): Definition {
  return { ...definition, layout: { ...definition.layout, ...points } };
}

/** Removes all positions. Nodes are then arranged automatically. */
export function arrange({ layout: _, ...definition }: Definition): Definition {
  return definition;
}

/** Changes the ID of a node and all references to it. */
export function rename(definition: Definition, from: string, to: string): Definition {
  if (from === to || to === '' || idsOf(definition).includes(to)) return definition;
  const id = (it: string | undefined) => (it === from ? to : it);
  const renamed = (node: FlowNode) =>
    exitsOf(node)
      .filter((it) => it.to === from)
      .reduce((it, { name }) => withExit(it, name, to), { ...node, id: id(node.id) ?? node.id });
  const next = withStart({ ...definition, nodes: definition.nodes.map(renamed) }, id(definition.start));
  if (definition.layout) {
    next.layout = Object.fromEntries(Object.entries(definition.layout).map(([at, it]) => [id(at) ?? at, it]));
  }
  if (definition.scripts) {
    next.scripts = definition.scripts.map((script) => ({
      ...script,
      ...(script.expect?.nodes && {
        expect: { ...script.expect, nodes: script.expect.nodes.map((it) => id(it) ?? it) },
      }),
      ...(script.http && {
        http: script.http.map((it) => (it.node_id === from ? { ...it, node_id: to } : it)),
      }),
    }));
  }
  return next;
}

/** Whether the graph contains a vertex with this ID. */
export function isThere(definition: Definition, id: string): boolean {
  const at = triggerAt(id);
  if (at !== undefined) return at < (definition.triggers?.length ?? 0);
  return id === API_START ? !definition.triggers?.length : nodeOf(definition, id) !== undefined;
}
