import type { components } from '../api/schema';

type Schemas = components['schemas'];

export type Condition = Schemas['Condition'];
export type Finding = Schemas['Finding'];
export type Script = Schemas['SimulationScript'];
/** The message of a node or step. Its texts are templates. */
export type Words = Schemas['SendMessage'];
/** The times at which a wait may end. */
export type Window = Schemas['SendWindow'];

/** The exits that are members of a node. */
type Exit = 'next' | 'otherwise' | 'on_timeout' | 'on_invalid' | 'on_error';

/** A part of a draft. Its exits may be missing. */
type Draft<Part> = Part extends unknown
  ? { [Field in keyof Part as Exclude<Field, Exit>]: Part[Field] } & {
      [Field in keyof Part as Extract<Field, Exit>]?: Part[Field];
    }
  : never;

/** A branch of a `branch` node. */
export type Way = Draft<Schemas['BranchNode']['branches'][number]>;
export type Branch = Draft<Omit<Schemas['BranchNode'], 'branches'>> & { branches: Way[] };
/** An arm of a `split` node. */
export type Arm = Draft<Schemas['SplitNode']['arms'][number]>;
export type Split = Omit<Schemas['SplitNode'], 'arms'> & { arms: Arm[] };

export type FlowNode =
  | Branch
  | Split
  | Draft<Exclude<Schemas['FlowNode'], Schemas['BranchNode'] | Schemas['SplitNode']>>;
export type NodeType = FlowNode['type'];
export type NodeOf<Type extends NodeType> = Extract<FlowNode, { type: Type }>;

/** The node types, in the order of the API's messages. */
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
] as const satisfies NodeType[];

export type Day = NonNullable<Window['days']>[number];
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const satisfies Day[];

/** The type of the answer to a question. */
export type Answer = NonNullable<NodeOf<'ask'>['expect']>;
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
] as const satisfies Answer[];

/** A change of a value. */
export type Operation = NonNullable<NodeOf<'set_field'>['operation']>;
export const OPERATIONS = ['set', 'increment', 'append', 'toggle'] as const satisfies Operation[];

export type Method = NodeOf<'http_request'>['method'];
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies Method[];

/** An event trigger. A draft may name an event type that does not exist. */
export type EventTrigger = Omit<Schemas['FlowTriggerEvent'], 'event'> & { event: string };
export type Trigger = Exclude<Schemas['FlowTrigger'], Schemas['FlowTriggerEvent']> | EventTrigger;
export type TriggerType = Trigger['type'];

export type Settings = NonNullable<Schemas['FlowDefinition']['settings']>;
/** The effect of a start while a run of the flow is active. */
export type Reentry = NonNullable<Settings['reentry']>;

export interface Point {
  x: number;
  y: number;
}

/** The draft of a flow. */
export interface Definition {
  triggers?: Trigger[];
  start?: string;
  nodes: FlowNode[];
  settings?: Settings;
  scripts?: Script[];
  /** The positions of nodes on the canvas, by ID. Other nodes are arranged automatically. */
  layout?: Record<string, Point>;
}

/**
 * Converts a definition from the API. A draft may contain any JSON, so values that are not nodes or triggers
 * are removed.
 */
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

/** Whether `asDefinition` removes nothing. Only then can the definition be edited as a graph. */
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
