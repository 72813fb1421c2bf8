import { createContext, useContext } from 'react';
import type { Definition, FlowNode } from '../definition';

/** What the parts of a form need to know of the flow around them. */
export interface FormContext {
  definition: Definition;
  /** What the analyser says of a field of what is shown, by its pointer in it. */
  fault: (field: string) => string | undefined;
}

export const Surroundings = createContext<FormContext | undefined>(undefined);

export function useSurroundings(): FormContext {
  const found = useContext(Surroundings);
  if (!found) throw new Error('This field belongs to the form of a flow.');
  return found;
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
