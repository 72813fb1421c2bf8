import { type Condition, MOST_LEVELS, MOST_RULES, type Operator, shapeOf } from './grammar';
import { type Kinds, typed, untyped } from './values';

/** A comparison as it is edited: its value as texts, whatever its type. */
export interface Rule {
  id: string;
  field: string;
  op: Operator;
  values: string[];
}

/** Rules of which all or any have to hold, or with `not` must not. */
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

/** What a condition looks like in the builder. */
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

/** Where each rule and group stands in the condition, as the API's pointers name it. */
export type Places = { pointer: string; id: string }[];

/** The condition that a builder means, and where its rules stand in it. */
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

/** The rules in a group, however deep. */
export function rulesIn(root: Item): Rule[] {
  return isGroup(root) ? root.items.flatMap(rulesIn) : [root];
}

/** Whether a rule says all that it needs to. */
export function isComplete({ field, op, values }: Rule): boolean {
  if (!field) return false;
  const filled = values.filter((it) => it.trim() !== '').length;
  return { none: true, one: filled >= 1, duration: filled >= 1, several: filled >= 1, range: filled === 2 }[
    shapeOf(op)
  ];
}

/** Whether a builder means a condition that can be asked: something is in it, and nothing half said. */
export function isReady(root: Group): boolean {
  const rules = rulesIn(root);
  return rules.length > 0 && rules.every(isComplete);
}

/** How many groups stand inside one another, the outermost counted. */
export function levels(item: Item): number {
  return isGroup(item) ? 1 + Math.max(0, ...item.items.map(levels)) : 0;
}

/** Whether another rule has room. */
export const hasRoom = (root: Group) => rulesIn(root).length < MOST_RULES;

/** Whether a group at this depth, the outermost being 1, may have groups in it. */
export const mayNest = (depth: number) => depth < MOST_LEVELS - 1;

/** A group in which the item with this id is replaced, or taken out; groups that this empties go too. */
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
