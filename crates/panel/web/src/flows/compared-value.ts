import { texts } from '../i18n/texts';
import type { Definition, FlowNode } from './definition';
import { conditionInWords } from './graph/conditions';
import { exitsOf } from './graph/exits';
import { spanInWords } from './graph/phrases';
import type { Names } from './graph/summary';
import { labelInWords, type NodeLabels } from './node-labels';

const t = texts('flow-runs');

/** Attributes with the ID of a node. */
const TO_NODE = /^(?:start|next|otherwise|on_timeout|on_invalid|on_error|(?:branches|arms)\.\d+\.next)$/;

/** Attributes with a duration. */
const SPAN = /^(?:for|timeout|settings\.expires_after|scripts\..+\.advance)$/;

/** One of the two compared definitions, with the texts for its nodes and for other objects. */
export interface Side {
  definition: Definition;
  labels: NodeLabels;
  names: Names;
}

/**
 * The value of an attribute in words: durations, nodes and other objects by name. Other values are shown as JSON.
 * `id` is the node with the attribute, if it is in one.
 */
export function valueInWords(value: unknown, attribute: string, id: string | undefined, side: Side): string {
  if (value === undefined) return t('versions.absent');
  const node = side.definition.nodes.find((it) => it.id === id);
  if (typeof value === 'string') {
    if (TO_NODE.test(attribute)) return nodeInWords(value, side);
    const isSpan = SPAN.test(attribute) || isSpanOfCondition(attribute, node ?? side.definition);
    return isSpan ? spanInWords(value) : (side.names.get(value) ?? value);
  }
  const isWays = (attribute === 'branches' || attribute === 'arms') && Array.isArray(value);
  return node && isWays ? waysInWords(node, side) : JSON.stringify(value, null, 2);
}

function nodeInWords(id: string | undefined, { labels }: Side): string {
  if (id === undefined) return t('versions.absent');
  const label = labels.get(id);
  return label ? labelInWords(label) : id;
}

/** A line for each branch or arm: its condition or share, and the next node. */
function waysInWords(node: FlowNode, side: Side): string {
  const ways = exitsOf(node).filter((it) => it.name.includes('/'));
  const lines = ways.map(({ label, to }, at) => {
    const when = node.type === 'branch' ? conditionInWords(node.branches[at]?.when, side.names) : label;
    return `${when} → ${nodeInWords(to, side)}`;
  });
  return lines.join('\n');
}

/** Whether an attribute is the duration in a condition with `within_last`. */
function isSpanOfCondition(attribute: string, owner: unknown): boolean {
  const names = attribute.split('.');
  if (names.pop() !== 'value') return false;
  return member(names.reduce(member, owner), 'op') === 'within_last';
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
