import { createContext, useContext } from 'react';
import type { Definition, FlowNode } from '../definition';
import { type Marks, marksOf } from './marks';

/** The flow around a form. */
export interface FormContext {
  definition: Definition;
  /** Returns the error at a field. The field's pointer is relative to the node, trigger or step. */
  fault: (field: string) => string | undefined;
  /** Returns the warning at a field, if the form has findings. */
  warning?: (field: string) => string | undefined;
}

export const Surroundings = createContext<FormContext | undefined>(undefined);

export function useSurroundings(): FormContext & { marks: (field: string) => Marks } {
  const found = useContext(Surroundings);
  if (!found) throw new Error('This field belongs to the form of a flow.');
  return { ...found, marks: (field) => marksOf(found.fault(field), found.warning?.(field)) };
}

/** The properties of a node's form. `set` changes some members and removes those that are `undefined`. */
export interface FormProps<Node extends FlowNode> {
  node: Node;
  set: (patch: Partial<Node>) => void;
}

/** Binds fields to members of a node. */
export function membersOf<Node extends FlowNode>({ node, set }: FormProps<Node>) {
  const change = (key: string, value: unknown) => set({ [key]: value } as unknown as Partial<Node>);
  return {
    /** A member that is removed when its field is empty. */
    optional: <Key extends keyof Node & string>(key: Key) => ({
      field: `/${key}`,
      value: node[key] as Node[Key] | undefined,
      onChange: (value: Node[Key] | undefined) => change(key, value),
    }),
    /** A text that stays in the node when its field is empty. */
    required: <Key extends keyof Node & string>(key: Key) => ({
      field: `/${key}`,
      value: (node[key] || undefined) as Node[Key] | undefined,
      onChange: (value: string | undefined) => change(key, value ?? ''),
    }),
  };
}

/** Changes some members of an object and removes those that are `undefined`. */
export function patched<T extends object>(object: T, patch: Partial<T>): T {
  const all = Object.entries({ ...object, ...patch }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as T;
}
