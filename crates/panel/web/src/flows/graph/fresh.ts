import type { Definition, Finding, FlowNode, Trigger } from '../definition';
import { type Found, located } from './findings';
import { triggerAt } from './graph';

/** A node or trigger that was just added, with its initial content. */
export interface Fresh {
  id: string;
  blank: FlowNode | Trigger | undefined;
}

/** The node or trigger with this ID. */
export function itemOf({ nodes, triggers }: Definition, id: string): FlowNode | Trigger | undefined {
  const at = triggerAt(id);
  return at === undefined ? nodes.find((it) => it.id === id) : triggers?.[at];
}

/** Removes findings at fields of a new node that the user has not changed yet. */
export function settled(definition: Definition, findings: Finding[], fresh: Fresh | undefined): Finding[] {
  if (!fresh) return findings;
  const item = itemOf(definition, fresh.id) as Fields | undefined;
  const blank = fresh.blank as Fields | undefined;
  const isPending = ({ vertex, field }: Found) => {
    const [, name = ''] = field.split('/');
    return vertex === fresh.id && (name === '' || item?.[name] === blank?.[name]);
  };
  const pending = new Set(
    located(definition, findings)
      .filter(isPending)
      .map((it) => it.finding),
  );
  return findings.filter((it) => !pending.has(it));
}

type Fields = Record<string, unknown>;
