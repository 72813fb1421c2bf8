import { createContext, useContext } from 'react';
import type { Definition, FlowNode } from '../definition';
import { type Marks, marksOf } from './marks';

/** What the parts of a form need to know of the flow around them. */
export interface FormContext {
  definition: Definition;
  /** The error at a field of the form. The pointer of the field starts at the node, trigger or step. */
  fault: (field: string) => string | undefined;
  /** The warning at a field, if findings have any. */
  warning?: (field: string) => string | undefined;
}

export const Surroundings = createContext<FormContext | undefined>(undefined);

export function useSurroundings(): FormContext & { marks: (field: string) => Marks } {
  const found = useContext(Surroundings);
  if (!found) throw new Error('This field belongs to the form of a flow.');
  return { ...found, marks: (field) => marksOf(found.fault(field), found.warning?.(field)) };
}

/** A form of one type of node: what is changed is given as fields, `undefined` takes one out. */
export interface FormProps<Node extends FlowNode> {
  node: Node;
  set: (patch: Partial<Node>) => void;
}

/** An object with some fields changed, and those taken out that are `undefined` then. */
export function patched<T extends object>(object: T, patch: Partial<T>): T {
  const all = Object.entries({ ...object, ...patch }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as T;
}
