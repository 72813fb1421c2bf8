import { type Condition, MOST_LEVELS, MOST_RULES, type Operator, shapeOf } from './grammar';
import { type Kinds, typed, untyped } from './values';

/** A comparison in the builder. Its values are texts for every type. */
export interface Rule {
  id: string;
  field: string;
  op: Operator;
  values: string[];
}

/** A group of rules: all or any must match, or with `not` must not match. */
export interface Group {
  id: string;
  match: 'all' | 'any';
  not: boolean;
  items: Item[];
}

export type Item = Group | Rule;

export const isGroup = (item: Item): item is Group => 'items' in item;

let made = 0;
const nextId = () => `r${++made}`;

export function rule(field = '', op: Operator = 'eq', values: string[] = []): Rule {
  return { id: nextId(), field, op, values };
}

export function group(items: Item[] = [], match: Group['match'] = 'all', not = false): Group {
  return { id: nextId(), match, not, items };
}

/** Converts a condition for the builder. */
export function read(condition: Condition | undefined): Group {
  if (!condition) return group();
  const item = readItem(condition);
  return isGroup(item) ? item : group([item]);
}

function readItem(condition: Condition): Item {
  if ('all' in condition) return group(condition.all.map(readItem), 'all');
  if ('any' in condition) return group(condition.any.map(readItem), 'any');
  if ('not' in condition) {
    const inner = readItem(condition.not);
    return isGroup(inner) && !inner.not ? { ...inner, not: true } : group([inner], 'all', true);
  }
  const { field, op, value } = condition;
  return rule(field, op, untyped(value, field));
}

/** The pointers of rules and groups in the condition, for the API's errors. */
export type Places = { pointer: string; id: string }[];

/** Converts the builder's state to a condition, with the pointers of its rules. */
export function write(root: Group, kinds: Kinds): { condition: Condition; places: Places } {
  const places: Places = [];
  return { condition: writeItem(root, kinds, '', places), places };
}

function writeItem(item: Item, kinds: Kinds, at: string, places: Places): Condition {
  places.push({ pointer: at, id: item.id });
  if (!isGroup(item)) return writeRule(item, kinds);
  const inside = item.not ? `${at}/not` : at;
  const [only] = item.items;
  const inner =
    item.items.length === 1 && only
      ? writeItem(only, kinds, inside, places)
      : ({
          [item.match]: item.items.map((it, place) =>
            writeItem(it, kinds, `${inside}/${item.match}/${place}`, places),
          ),
        } as Condition);
  return item.not ? { not: inner } : inner;
}

function writeRule({ field, op, values }: Rule, kinds: Kinds): Condition {
  if (shapeOf(op) === 'none') return { field, op };
  const kind = kinds(field);
  const all = values.map((it) => typed(it, kind));
  const shape = shapeOf(op);
  return { field, op, value: shape === 'several' || shape === 'range' ? all : (all[0] ?? '') };
}

/** The rules of a group and of its nested groups. */
export function rulesIn(root: Item): Rule[] {
  return isGroup(root) ? root.items.flatMap(rulesIn) : [root];
}

/** Whether a rule has a field and all its values. */
export function isComplete({ field, op, values }: Rule): boolean {
  if (!field) return false;
  const filled = values.filter((it) => it.trim() !== '').length;
  return { none: true, one: filled >= 1, duration: filled >= 1, several: filled >= 1, range: filled === 2 }[
    shapeOf(op)
  ];
}

/** Whether the builder has at least one rule and all rules are complete. */
export function isReady(root: Group): boolean {
  const rules = rulesIn(root);
  return rules.length > 0 && rules.every(isComplete);
}

/** The number of nested levels, including the outermost group. */
export function levels(item: Item): number {
  return isGroup(item) ? 1 + Math.max(0, ...item.items.map(levels)) : 0;
}

/** Whether the condition may have another rule. */
export const hasRoom = (root: Group) => rulesIn(root).length < MOST_RULES;

/** Whether a group at this depth may contain groups. The outermost group has depth 1. */
export const mayNest = (depth: number) => depth < MOST_LEVELS - 1;

/** Replaces or removes the item with this ID. Also removes groups that become empty. */
export function replaced(root: Group, id: string, next: (item: Item) => Item | undefined): Group {
  const items = root.items.flatMap((item): Item[] => {
    if (item.id === id) {
      const it = next(item);
      return it ? [it] : [];
    }
    if (!isGroup(item)) return [item];
    const inner = replaced(item, id, next);
    return inner.items.length === 0 && item.items.length > 0 ? [] : [inner];
  });
  return { ...root, items };
}
