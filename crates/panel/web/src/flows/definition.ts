import type { components } from '../api/schema';

type Schemas = components['schemas'];

export type Condition = Schemas['Condition'];
export type Finding = Schemas['Finding'];
export type Script = Schemas['SimulationScript'];
/** What a node sends; its texts are templates. */
export type Words = Schemas['SendMessage'];

/** When waits may end: all parts may be absent. */
export interface Window {
  days?: Day[];
  from?: string;
  to?: string;
  /** `contact`, `workspace`, or an IANA zone. */
  time_zone?: string;
}

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];

export const ANSWERS = [
  'text',
  'number',
  'boolean',
  'date',
  'datetime',
  'email',
  'phone',
  'url',
  'select',
] as const;
/** The type of the answer to a question. */
export type Answer = (typeof ANSWERS)[number];

export const OPERATIONS = ['set', 'increment', 'append', 'toggle'] as const;
/** What becomes of a value. */
export type Operation = (typeof OPERATIONS)[number];

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** A node of a type that leads to one other. */
interface Step<Type extends string> {
  id: string;
  type: Type;
  next?: string;
}

export interface SendMessage extends Step<'send_message'> {
  message: Words;
}

export interface Ask extends Step<'ask'> {
  message: Words;
  /** `text` when absent. */
  expect?: Answer;
  /** Of `select`: what is chosen from. */
  options?: string[];
  /** `vars.KEY`, `contact.ATTRIBUTE` or `custom_fields.KEY`. */
  save_to?: string;
  /** 1 to 10; 3 when absent. */
  attempts?: number;
  invalid_message?: Words;
  /** An ISO 8601 duration. */
  timeout?: string;
  on_timeout?: string;
  on_invalid?: string;
}

export interface WaitForEvent extends Step<'wait_for_event'> {
  /** This, or `custom_event`. */
  event?: string;
  custom_event?: string;
  filter?: Condition;
  timeout: string;
  save_to?: string;
  on_timeout?: string;
}

export interface Delay extends Step<'delay'> {
  /** An ISO 8601 duration; this or `until`, or a window alone. */
  for?: string;
  until?: string;
  window?: Window;
}

/** A way of a `branch`. */
export interface Way {
  when: Condition;
  next?: string;
}

export interface Branch {
  id: string;
  type: 'branch';
  branches: Way[];
  otherwise?: string;
}

/** A way of a `split`. */
export interface Arm {
  weight: number;
  next?: string;
}

export interface Split {
  id: string;
  type: 'split';
  arms: Arm[];
}

export interface SetField extends Step<'set_field'> {
  field: string;
  operation?: Operation;
  value?: unknown;
}

export interface SetBotField extends Step<'set_bot_field'> {
  field: string;
  value: unknown;
}

export interface Tagging extends Step<'add_tag' | 'remove_tag'> {
  /** A name or an id. */
  tag: string;
}

export interface Enrolling extends Step<'enroll_sequence' | 'exit_sequence'> {
  sequence: string;
}

export interface HttpRequest extends Step<'http_request'> {
  method: Method;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** `status`, `body` or `body.PATH`, by the key of the variable. */
  save?: Record<string, string>;
  on_error?: string;
}

export type ResolveConversation = Step<'resolve_conversation'>;

export interface AssignConversation extends Step<'assign_conversation'> {
  user_id?: string;
}

export interface Note extends Step<'note'> {
  text: string;
}

/** With `next` it calls the other flow, else it goes over to it. */
export interface StartFlow extends Step<'start_flow'> {
  flow_id: string;
  save_to?: string;
  on_error?: string;
}

export interface End {
  id: string;
  type: 'end';
}

export type FlowNode =
  | SendMessage
  | Ask
  | WaitForEvent
  | Delay
  | Branch
  | Split
  | SetField
  | SetBotField
  | Tagging
  | Enrolling
  | HttpRequest
  | ResolveConversation
  | AssignConversation
  | Note
  | StartFlow
  | End;

/** In the order in which they are told to people. */
export const NODE_TYPES = [
  'send_message',
  'ask',
  'wait_for_event',
  'delay',
  'branch',
  'split',
  'set_field',
  'set_bot_field',
  'add_tag',
  'remove_tag',
  'enroll_sequence',
  'exit_sequence',
  'http_request',
  'resolve_conversation',
  'assign_conversation',
  'note',
  'start_flow',
  'end',
] as const satisfies FlowNode['type'][];

export type NodeType = FlowNode['type'];

export interface KeywordTrigger {
  type: 'keyword';
  /** `exact` when absent. */
  match?: 'exact' | 'starts_with' | 'contains';
  keywords: string[];
  /** All channels when absent or empty. */
  channel_ids?: string[];
}

export interface EventTrigger {
  type: 'event';
  event: string;
  filter?: Condition;
}

export interface CustomEventTrigger {
  type: 'custom_event';
  name: string;
  filter?: Condition;
}

export interface ScheduleTrigger {
  type: 'schedule';
  /** Five fields, by the clock of the workspace. */
  cron: string;
  audience: Condition;
}

export type Trigger = KeywordTrigger | EventTrigger | CustomEventTrigger | ScheduleTrigger;
export type TriggerType = Trigger['type'];

/** What a start does while a run of the flow lives. */
export type Reentry = 'skip' | 'restart' | 'parallel';

export interface Settings {
  /** `skip` when absent. */
  reentry?: Reentry;
  /** An ISO 8601 duration; 30 days when absent. */
  expires_after?: string;
}

export interface Point {
  x: number;
  y: number;
}

/** What a flow does. */
export interface Definition {
  triggers?: Trigger[];
  start?: string;
  nodes: FlowNode[];
  settings?: Settings;
  scripts?: Script[];
  /** Where nodes stand on the canvas, by id; arranged by itself where there is none. */
  layout?: Record<string, Point>;
}

export const MAX_NODES = 500;
export const MAX_TRIGGERS = 20;

/** A definition as the API gives it: a draft may be anything, and what is no node is left out here. */
export function asDefinition(written: unknown): Definition {
  const from = isObject(written) ? written : {};
  const objects = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);
  const nodes = objects(from.nodes).filter((it) => typeof it.id === 'string' && typeof it.type === 'string');
  return {
    ...from,
    nodes: nodes as unknown as FlowNode[],
    ...(from.triggers !== undefined && { triggers: objects(from.triggers) as unknown as Trigger[] }),
  };
}

/** Whether a definition holds nothing that `asDefinition` leaves out, so that it may be edited as a graph. */
export function isReadable(written: unknown): boolean {
  const from = isObject(written) ? written : {};
  const { nodes, triggers } = asDefinition(written);
  const same = (value: unknown, read: unknown[] | undefined) =>
    value === undefined || (Array.isArray(value) && value.length === read?.length);
  return isObject(written) && same(from.nodes, nodes) && same(from.triggers, triggers);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
