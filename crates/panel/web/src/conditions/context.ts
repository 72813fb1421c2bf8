import type { Field } from './fields';
import { type Group, type Item, replaced } from './model';
import type { Kinds } from './values';

/** What every part of a builder needs of the whole. */
export interface Context {
  root: Group;
  change: (next: Group) => void;
  fields: Field[];
  kinds: Kinds;
  faults: Record<string, string>;
  /** Whether another rule has room. */
  room: boolean;
}

/** Puts another item in the place of one, or takes it out. */
export function put({ root, change }: Context, id: string, next: Item | undefined): void {
  change(id === root.id && next && 'items' in next ? next : replaced(root, id, () => next));
}
