import { en } from '../../i18n/en';
import type { FlowNode, Trigger, Words } from '../definition';
import { conditionInWords, fieldInWords } from './conditions';
import type { Vertex } from './graph';
import { firstLine, spanInWords, windowInWords } from './phrases';

const words = en.flowEditor.summary;

/** What the ids in a definition stand for, as far as it is known. */
export type Names = ReadonlyMap<string, string>;
const NONE: Names = new Map();

/** What a node is called on the canvas. */
export function titleOf(node: FlowNode): string {
  const { nodes } = en.flowEditor;
  return nodes[node.type as keyof typeof nodes]?.title ?? node.type;
}

/** The title of a card: the node, the trigger, or the start by the API. */
export function cardTitle({ node, trigger }: Vertex): string {
  const { triggers, triggerOfApi } = en.flowEditor;
  if (node) return titleOf(node);
  return trigger ? (triggers[trigger.type] ?? trigger.type) : triggerOfApi;
}

/** The first line of what a node does. */
export function summaryOf(node: FlowNode, names: Names = NONE): string {
  const named = (id: string | undefined) => (id && (names.get(id) ?? id)) || words.notChosen;
  switch (node.type) {
    case 'send_message':
    case 'ask':
      return messageInWords(node.message);
    case 'wait_for_event':
      return node.custom_event || node.event || words.notChosen;
    case 'delay':
      return delayInWords(node);
    case 'branch':
      return branchInWords(node.branches ?? [], names);
    case 'split':
      return words.ways((node.arms ?? []).length);
    case 'set_field':
    case 'set_bot_field':
      return changeInWords(node);
    case 'add_tag':
    case 'remove_tag':
      return named(node.tag);
    case 'enroll_sequence':
    case 'exit_sequence':
      return named(node.sequence);
    case 'http_request':
      return `${node.method ?? ''} ${(node.url ?? '').replace(/^https?:\/\//, '') || words.notChosen}`.trim();
    case 'assign_conversation':
      return node.user_id ? named(node.user_id) : words.toAnybody;
    case 'resolve_conversation':
      return words.resolves;
    case 'note':
      return firstLine(node.text) || words.noText;
    case 'start_flow':
      return named(node.flow_id);
    case 'end':
      return words.completed;
    default:
      return '';
  }
}

/** What a trigger listens to. */
export function triggerInWords(trigger: Trigger): string {
  switch (trigger.type) {
    case 'keyword':
      return (trigger.keywords ?? []).map((it) => `“${it}”`).join(', ') || words.notChosen;
    case 'event':
      return trigger.event || words.notChosen;
    case 'custom_event':
      return trigger.name || words.notChosen;
    case 'schedule':
      return trigger.cron || words.notChosen;
    default:
      return '';
  }
}

export function messageInWords(message: Words | undefined): string {
  const said = firstLine(message?.text);
  if (said) return said;
  if (message?.type === 'template') return message.template?.name || words.noText;
  const files = message?.attachments?.length ?? 0;
  return files > 0 ? words.attachments(files) : words.noText;
}

function delayInWords(node: FlowNode & { type: 'delay' }): string {
  const time = node.for ? spanInWords(node.for) : node.until ? words.until(node.until) : undefined;
  const window = node.window && windowInWords(node.window);
  return [time, window].filter(Boolean).join(', ') || words.notChosen;
}

function branchInWords(ways: { when: Parameters<typeof conditionInWords>[0] }[], names: Names): string {
  const [first] = ways;
  if (!first) return words.notChosen;
  return ways.length === 1 ? conditionInWords(first.when, names) : words.ways(ways.length + 1);
}

function changeInWords(node: FlowNode & { type: 'set_field' | 'set_bot_field' }): string {
  const operation = node.type === 'set_field' ? (node.operation ?? 'set') : 'set';
  const field = node.field ? fieldInWords(node.field) : words.notChosen;
  const value = typeof node.value === 'string' ? node.value : JSON.stringify(node.value ?? null);
  const clears =
    operation === 'set' && (node.value === null || node.value === undefined || node.value === '');
  return clears ? words.clears(field) : words.operations[operation](field, firstLine(value));
}
