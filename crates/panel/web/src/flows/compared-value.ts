import { list } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Definition, FlowNode, Trigger } from './definition';
import { conditionInWords } from './graph/conditions';
import { exitsOf } from './graph/exits';
import { spanInWords, timeInWords } from './graph/phrases';
import { type Names, triggerInWords, triggerTitle } from './graph/summary';
import { labelInWords, type NodeLabels } from './node-labels';

const t = texts('flow-runs');
const editor = texts('flow-editor');
const forms = texts('flow-forms');

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
    if (attribute === 'until') return timeInWords(value);
    const isSpan = SPAN.test(attribute) || isSpanOfCondition(attribute, node ?? side.definition);
    return isSpan ? spanInWords(value) : (wordOf(attribute, value, side) ?? side.names.get(value) ?? value);
  }
  if (typeof value === 'boolean') return value ? editor('yes') : editor('no');
  if (attribute === 'triggers') {
    const lines = (side.definition.triggers ?? []).map((it) => triggerLine(it, side.names));
    return lines.join('\n') || t('versions.absent');
  }
  if (isTexts(value)) return list(value.map((it) => wordOf(attribute, it, side) ?? side.names.get(it) ?? it));
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

/** A trigger in a line: `Keyword: “hi” · Web · if plan is gold`. */
function triggerLine(trigger: Trigger, names: Names): string {
  const title = triggerTitle(trigger);
  const what = triggerInWords(trigger);
  const channels = 'channel_ids' in trigger ? (trigger.channel_ids ?? []) : [];
  const match = 'match' in trigger ? matchInWords(trigger.type, trigger.match) : '';
  const rules = 'audience' in trigger ? trigger.audience : 'filter' in trigger ? trigger.filter : undefined;
  const parts = [
    what === '' ? title : `${title}: ${what}`,
    match,
    list(channels.map((it) => names.get(it) ?? it)),
    rules && conditionInWords(rules, names),
  ];
  return parts.filter(Boolean).join(' · ');
}

function matchInWords(trigger: Trigger['type'] | undefined, match: string | undefined): string | undefined {
  return forms.find(trigger === 'referral' ? 'referralMatches' : 'matches', match);
}

/** The texts of the forms for values of an attribute. */
const WORDS: Record<string, (value: string) => string | undefined> = {
  days: (value) => editor.find('phrases.days', value),
  expect: (value) => forms.find('answers', value),
  operation: (value) => forms.find('operations', value),
  reentry: (value) => forms.find('reentries', value),
};

/** The text of a value that is a word of the API, such as the type of an answer. */
function wordOf(attribute: string, value: string, { definition }: Side): string | undefined {
  const names = attribute.split('.');
  const name = names.at(-1) ?? '';
  if (names[0] === 'triggers') {
    const type = definition.triggers?.[Number(names[1])]?.type;
    if (name === 'type') return editor.find('triggers', value);
    if (name === 'match') return matchInWords(type, value);
  }
  return Object.hasOwn(WORDS, name) ? WORDS[name]?.(value) : undefined;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((it) => typeof it === 'string');
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
