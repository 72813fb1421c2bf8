import { number } from '../../i18n/format';
import { texts } from '../../i18n/texts';
import type { FlowNode, NodeType } from '../definition';

const t = texts('flow-editor');

export interface Exit {
  /** The name in traces: `next`, `on_timeout`, or a place in a list such as `branches/0`. */
  name: string;
  /** The label of the port. */
  label: string;
  /** The ID of the next node. */
  to: string | undefined;
  /** Whether the node is valid without it. */
  optional: boolean;
}

/** The exits of each node type, except those in lists. */
const NAMED: Record<NodeType, readonly (readonly [name: string, optional: boolean])[]> = {
  send_message: [['next', false]],
  ask: [
    ['next', false],
    ['on_timeout', true],
    ['on_invalid', true],
  ],
  wait_for_event: [
    ['next', false],
    ['on_timeout', false],
  ],
  delay: [['next', false]],
  branch: [['otherwise', false]],
  split: [],
  set_field: [['next', false]],
  set_bot_field: [['next', false]],
  add_tag: [['next', false]],
  remove_tag: [['next', false]],
  enroll_sequence: [['next', false]],
  exit_sequence: [['next', false]],
  http_request: [
    ['next', false],
    ['on_error', true],
  ],
  resolve_conversation: [['next', false]],
  assign_conversation: [['next', false]],
  note: [['next', false]],
  start_flow: [
    ['next', true],
    ['on_error', true],
  ],
  end: [],
};

type Fields = Record<string, unknown>;

/** The exits of a node, in the order of their ports. */
export function exitsOf(node: FlowNode): Exit[] {
  const fields = node as unknown as Fields;
  const listed = listOf(node);
  const places = listed ? listed.items.map((item, at) => listedExit(node, listed.name, item, at)) : [];
  const named = (NAMED[node.type] ?? []).map(([name, optional]) => ({
    name,
    label: exitInWords(name, node.type),
    to: text(fields[name]),
    optional,
  }));
  return [...places, ...named];
}

/** The label of an exit. It may depend on the type of the node. */
export function exitInWords(name: string, type?: NodeType): string {
  const place = /^(?:branches|arms)\/(\d+)$/.exec(name)?.[1];
  if (place !== undefined) return t('exits.branch', { number: Number(place) + 1 });
  return t.find('exits.of', `${type}.${name}`) ?? t.find('exits.any', name) ?? name;
}

/** The exit that most runs take. When the node is deleted, its successor at this exit replaces it. */
export function mainExit(node: FlowNode): Exit | undefined {
  const exits = exitsOf(node);
  return exits.find((it) => it.name === 'next' || it.name === 'otherwise') ?? exits[0];
}

/** Returns the node with an exit that leads to another node, or to none. */
export function withExit(node: FlowNode, name: string, to: string | undefined): FlowNode {
  const [list, place] = name.split('/');
  if (place === undefined) return withField(node, name, to);
  const listed = listOf(node);
  if (!listed || listed.name !== list) return node;
  const items = listed.items.map((item, at) => (at === Number(place) ? withField(item, 'next', to) : item));
  return { ...node, [listed.name]: items } as FlowNode;
}

function listOf(node: FlowNode): { name: 'branches' | 'arms'; items: Fields[] } | undefined {
  const name = node.type === 'branch' ? 'branches' : node.type === 'split' ? 'arms' : undefined;
  if (!name) return undefined;
  const items = (node as unknown as Fields)[name];
  return { name, items: Array.isArray(items) ? items : [] };
}

function listedExit(node: FlowNode, list: string, item: Fields, at: number): Exit {
  const label = node.type === 'split' ? shareOf(node, at) : whenOf(item, at);
  return { name: `${list}/${at}`, label, to: text(item?.next), optional: false };
}

/** The share of an arm as a percentage. */
function shareOf(node: FlowNode, at: number): string {
  const arms = node.type === 'split' && Array.isArray(node.arms) ? node.arms : [];
  const whole = arms.reduce((sum, arm) => sum + (Number(arm.weight) || 0), 0);
  const share = whole > 0 ? ((Number(arms[at]?.weight) || 0) / whole) * 100 : 0;
  return number(Math.round(share) / 100, { style: 'percent' });
}

/** A short label for a branch: the single value in its condition, if there is one. */
function whenOf(item: Fields, at: number): string {
  const when = (item?.when ?? {}) as Fields;
  const value = when.value;
  if (
    (typeof value === 'string' && value !== '' && !/^[a-z]+_[0-9a-z]{26}$/.test(value)) ||
    typeof value === 'number'
  )
    return String(value);
  if (Array.isArray(value) && value.length > 0) return value.join(', ');
  if (typeof when.field === 'string' && typeof value === 'boolean') return value ? t('yes') : t('no');
  return t('exits.branch', { number: at + 1 });
}

function withField<T extends object>(object: T, name: string, value: unknown): T {
  const { [name]: _, ...rest } = object as Fields;
  return (value === undefined ? rest : { ...rest, [name]: value }) as T;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
