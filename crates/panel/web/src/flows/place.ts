/** The place of a finding in a definition. */
export interface Place {
  /** The node, if the place is in one that has an ID and a type. */
  node?: { id: string; type: string };
  /** The attribute in the node or in the definition, such as `message.text`. Empty for the whole node or flow. */
  attribute: string;
}

/** The place of a JSON pointer (RFC 6901). The definition may contain any JSON. */
export function placeOf(definition: unknown, pointer: string): Place {
  const names = pointer
    .split('/')
    .slice(1)
    .map((it) => it.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [list, at, ...rest] = names;
  const node = list === 'nodes' ? nodeAt(definition, Number(at)) : undefined;
  return node ? { node, attribute: rest.join('.') } : { attribute: names.join('.') };
}

function nodeAt(definition: unknown, at: number): Place['node'] {
  const nodes = (definition as { nodes?: unknown } | null | undefined)?.nodes;
  const node: unknown = Array.isArray(nodes) ? nodes[at] : undefined;
  if (typeof node !== 'object' || node === null) return undefined;
  const { id, type } = node as Record<string, unknown>;
  return typeof id === 'string' && typeof type === 'string' ? { id, type } : undefined;
}
