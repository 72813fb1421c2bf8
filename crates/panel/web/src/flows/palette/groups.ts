import type { NodeType } from '../definition';

/** The node types by purpose. */
export const GROUPS = [
  { name: 'say', types: ['send_message', 'note'] },
  { name: 'ask', types: ['ask'] },
  { name: 'decide', types: ['branch', 'split'] },
  { name: 'wait', types: ['delay', 'wait_for_event'] },
  {
    name: 'change',
    types: ['set_field', 'set_bot_field', 'add_tag', 'remove_tag', 'enroll_sequence', 'exit_sequence'],
  },
  {
    name: 'connect',
    types: ['http_request', 'assign_conversation', 'resolve_conversation', 'start_flow'],
  },
  { name: 'end', types: ['end'] },
] as const satisfies { name: string; types: NodeType[] }[];

/** The groups of the palette. The first group adds triggers. */
export type GroupName = 'start' | (typeof GROUPS)[number]['name'];

/** The data type of dragged nodes. */
export const DRAGGED = 'application/x-tidings-node';
