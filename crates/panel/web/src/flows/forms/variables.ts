import type { Definition } from '../definition';

/** The variables that the nodes of a flow set, in the order of the nodes. */
export function variablesOf({ nodes }: Definition): string[] {
  const found = nodes.flatMap((node): string[] => {
    const named = node as { save_to?: unknown; field?: unknown };
    const saves = node.type === 'http_request' ? Object.keys(node.save ?? {}) : [];
    const targets = [named.save_to, node.type === 'set_field' ? named.field : undefined];
    return [
      ...saves,
      ...targets.flatMap((it) => (typeof it === 'string' && it.startsWith('vars.') ? [it.slice(5)] : [])),
    ];
  });
  return [...new Set(found.filter((it) => it !== ''))];
}

/** The fields in a condition, including nested ones. */
export function namedIn(condition: unknown): string[] {
  if (Array.isArray(condition)) return condition.flatMap(namedIn);
  if (typeof condition !== 'object' || condition === null) return [];
  return Object.entries(condition).flatMap(([key, value]) =>
    key === 'field' && typeof value === 'string' ? [value] : key === 'value' ? [] : namedIn(value),
  );
}

/** The paths of the values in an example event: `tag.name`. */
export function pathsIn(example: unknown, depth = 3): string[] {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return [];
  return Object.entries(example).flatMap(([key, value]) => {
    const inner = depth > 1 ? pathsIn(value, depth - 1) : [];
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? inner.map((it) => `${key}.${it}`) : [key];
  });
}
