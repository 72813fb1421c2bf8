import type { Field } from './fields';
import { type Group, type Item, replaced } from './model';
import type { Kinds } from './values';

/** The state that all parts of a builder share. */
export interface Context {
  root: Group;
  change: (next: Group) => void;
  fields: Field[];
  kinds: Kinds;
  faults: Record<string, string>;
  /** Whether the condition may have another rule. */
  room: boolean;
}

/** Replaces an item, or removes it if `next` is `undefined`. */
export function put({ root, change }: Context, id: string, next: Item | undefined): void {
  change(id === root.id && next && 'items' in next ? next : replaced(root, id, () => next));
}
