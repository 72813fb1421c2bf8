import { nodeTypeName } from '../../i18n/node-types';
import { texts } from '../../i18n/texts';
import type { FlowNode, Trigger, Words } from '../definition';
import { conditionInWords, fieldInWords } from './conditions';
import type { Vertex } from './graph';
import { firstLine, spanInWords, timeInWords, windowInWords } from './phrases';

const t = texts('flow-editor');

/** The names of objects in a definition by ID, if they are known. */
export type Names = ReadonlyMap<string, string>;
const NONE: Names = new Map();

export function titleOf(node: FlowNode): string {
  return nodeTypeName(node.type);
}

export function triggerTitle({ type }: Trigger): string {
  return t.find('triggers', type) ?? type;
}

/** The title of a card: the node, the trigger, or a start by the API. */
export function cardTitle({ node, trigger }: Vertex): string {
  if (node) return titleOf(node);
  return trigger ? triggerTitle(trigger) : t('triggerOfApi');
}

export function summaryOf(node: FlowNode, names: Names = NONE): string {
  const named = (id: string | undefined) => (id && (names.get(id) ?? id)) || t('summary.notChosen');
  switch (node.type) {
    case 'send_message':
    case 'ask':
      return messageInWords(node.message);
    case 'wait_for_event':
      return node.custom_event || node.event || t('summary.notChosen');
    case 'delay':
      return delayInWords(node);
    case 'branch':
      return branchInWords(node.branches ?? [], names);
    case 'split':
      return t('summary.branches', { count: (node.arms ?? []).length });
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
      return `${node.method ?? ''} ${(node.url ?? '').replace(/^https?:\/\//, '') || t('summary.notChosen')}`.trim();
    case 'assign_conversation':
      return node.user_id ? (names.get(node.user_id) ?? t('summary.oneAgent')) : t('summary.anyAgent');
    case 'resolve_conversation':
      return t('summary.resolves');
    case 'note':
      return firstLine(node.text) || t('summary.noText');
    case 'start_flow':
      return named(node.flow_id);
    case 'end':
      return t('summary.completed');
    default:
      return '';
  }
}

export function triggerInWords(trigger: Trigger): string {
  switch (trigger.type) {
    case 'keyword':
      return (
        (trigger.keywords ?? []).map((it) => t('quoted', { text: it })).join(', ') || t('summary.notChosen')
      );
    case 'referral':
      return trigger.ref ? t('quoted', { text: trigger.ref }) : t('summary.notChosen');
    case 'event':
      return trigger.event || t('summary.notChosen');
    case 'custom_event':
      return trigger.name || t('summary.notChosen');
    case 'schedule':
      return trigger.cron || t('summary.notChosen');
    default:
      return '';
  }
}

export function messageInWords(message: Words | undefined): string {
  const said = firstLine(message?.text);
  if (said) return said;
  if (message?.type === 'template') return message.template?.name || t('summary.noText');
  const files = message?.attachments?.length ?? 0;
  return files > 0 ? t('attachments', { count: files }) : t('summary.noText');
}

function delayInWords(node: FlowNode & { type: 'delay' }): string {
  const time = node.for
    ? spanInWords(node.for)
    : node.until
      ? t('summary.until', { time: timeInWords(node.until) })
      : undefined;
  const window = node.window && windowInWords(node.window);
  return [time, window].filter(Boolean).join(', ') || t('summary.notChosen');
}

function branchInWords(ways: { when: Parameters<typeof conditionInWords>[0] }[], names: Names): string {
  const [first] = ways;
  if (!first) return t('summary.notChosen');
  return ways.length === 1
    ? conditionInWords(first.when, names)
    : t('summary.branches', { count: ways.length + 1 });
}

function changeInWords(node: FlowNode & { type: 'set_field' | 'set_bot_field' }): string {
  const operation = node.type === 'set_field' ? (node.operation ?? 'set') : 'set';
  const field = node.field ? fieldInWords(node.field) : t('summary.notChosen');
  const value = typeof node.value === 'string' ? node.value : JSON.stringify(node.value ?? null);
  const clears =
    operation === 'set' && (node.value === null || node.value === undefined || node.value === '');
  return clears
    ? t('summary.clears', { field })
    : t(`summary.operations.${operation}`, { field, value: firstLine(value) });
}
