/** An attribute that differs between two definitions. */
export interface Change {
  /** The path of the attribute: `message.text` or `branches.0.when`. */
  attribute: string;
  was: unknown;
  is: unknown;
}

/** A node in a difference. */
export interface Named {
  id: string;
  type: string;
}

/** The differences between two definitions. */
export interface Difference {
  added: Named[];
  removed: Named[];
  changed: (Named & { changes: Change[] })[];
  /** The changes outside of nodes: `start`, `triggers`, `settings`, `scripts`. */
  rest: Change[];
  moved: boolean;
}

type Fields = Record<string, unknown>;

/** Compares two definitions, node by node. */
export function differenceOf(was: unknown, is: unknown): Difference {
  const [old, current] = [fields(was), fields(is)];
  const before = nodesOf(old);
  const after = nodesOf(current);
  const { nodes: _, layout: __, ...oldRest } = old;
  const { nodes: ___, layout: ____, ...rest } = current;
  const both = [...after.values()].flatMap((node) => {
    const earlier = before.get(node.id);
    const changes = earlier ? changesIn(earlier, node) : [];
    return changes.length > 0 ? [{ ...named(node), changes }] : [];
  });
  return {
    added: [...after.values()].filter((it) => !before.has(it.id)).map(named),
    removed: [...before.values()].filter((it) => !after.has(it.id)).map(named),
    changed: both,
    rest: changesIn(oldRest, rest),
    moved: !same(old.layout ?? {}, current.layout ?? {}),
  };
}

/** Whether two definitions behave the same. */
export function isSame({ added, removed, changed, rest }: Difference): boolean {
  return added.length + removed.length + changed.length + rest.length === 0;
}

type Node = Fields & Named;

function nodesOf(definition: Fields): Map<string, Node> {
  const all = Array.isArray(definition.nodes) ? definition.nodes.map(fields) : [];
  const named = all.filter((it): it is Node => typeof it.id === 'string');
  return new Map(named.map((it) => [it.id, it]));
}

function named({ id, type }: Node): Named {
  return { id, type: String(type) };
}

/** The differing attributes of two values, as deep as their structures match. */
function changesIn(was: unknown, is: unknown, at = ''): Change[] {
  if (same(was, is)) return [];
  const within = (key: string) => (at === '' ? key : `${at}.${key}`);
  if (Array.isArray(was) && Array.isArray(is)) {
    const alike = was.length === is.length && [...was, ...is].every((it) => isFields(it));
    if (!alike) return [{ attribute: at, was, is }];
    return was.flatMap((it, place) => changesIn(it, is[place], within(String(place))));
  }
  const [old, current] = [was ?? {}, is ?? {}];
  if (isFields(old) && isFields(current) && was !== null && is !== null) {
    const keys = new Set([...Object.keys(old), ...Object.keys(current)]);
    // An empty object differs from no object.
    if (keys.size > 0) return [...keys].flatMap((key) => changesIn(old[key], current[key], within(key)));
  }
  return [{ attribute: at, was, is }];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Whether two values are equal, ignoring the order of members. */
function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((it, at) => same(it, b[at]));
  }
  if (!isFields(a) || !isFields(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
}
