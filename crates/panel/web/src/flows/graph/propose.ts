import type { Condition, Definition, NodeOf, Way } from '../definition';
import { blankNode } from './blank';
import type { Place } from './edit';
import { graphOf } from './graph';

/** The most branches of a `branch` node. */
export const MOST_WAYS = 50;

/** The branches of a new `branch` node after an exit: one for each option of the last answer. */
export function proposedWays(definition: Definition, after: Place['after']): Way[] {
  const ask = after && askBefore(definition, after.from, after.exit);
  const field = ask && answerField(ask);
  if (!ask || !field) return blankWays();
  const values = valuesOf(ask);
  return (values.length > 0 ? values : ['']).slice(0, MOST_WAYS).map((value) => ({ when: is(field, value) }));
}

/** Another branch for a `branch` node: the first option of the answer that has none yet. */
export function proposedWay(definition: Definition, id: string, ways: readonly Way[]): Way {
  const edge = graphOf(definition).edges.find((it) => it.to === id);
  const ask = edge && askBefore(definition, edge.from, edge.exit);
  const field = ask && answerField(ask);
  if (!ask || !field) return blankWays()[0] as Way;
  const taken = new Set(ways.map(({ when }) => (when as { value?: unknown }).value));
  return { when: is(field, valuesOf(ask).find((it) => !taken.has(it)) ?? '') };
}

function is(field: string, value: string | boolean): Condition {
  return { field, op: 'eq', value };
}

function blankWays(): Way[] {
  const node = blankNode('branch', '');
  return node.type === 'branch' ? node.branches : [];
}

/** The nearest question before an exit that has an answer there. */
function askBefore(definition: Definition, from: string, exit: string): NodeOf<'ask'> | undefined {
  const { edges } = graphOf(definition);
  const nodes = new Map(definition.nodes.map((it) => [it.id, it]));
  const seen = new Set<string>();
  let ends = [{ from, exit }];
  while (ends.length > 0) {
    const next: typeof ends = [];
    for (const end of ends) {
      const node = nodes.get(end.from);
      // Other exits have no valid answer.
      if (node?.type === 'ask' && end.exit === 'next') return node;
      if (seen.has(end.from)) continue;
      seen.add(end.from);
      next.push(...edges.filter((it) => it.to === end.from));
    }
    ends = next;
  }
  return undefined;
}

/** The field of the answer in conditions, which use contact attributes without a prefix. */
function answerField({ save_to }: NodeOf<'ask'>): string | undefined {
  return save_to?.replace(/^contact\./, '') || undefined;
}

function valuesOf({ expect, options, message }: NodeOf<'ask'>): (string | boolean)[] {
  if (expect === 'boolean') return [true];
  const titles = message?.quick_replies?.map((it) => it.title) ?? [];
  const values = expect === 'select' ? (options ?? titles) : expect && expect !== 'text' ? [] : titles;
  return [...new Set(values)].filter((it) => it !== '');
}
