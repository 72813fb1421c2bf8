import type { NodeType } from '../definition';

/** What may be added, by what it is for. */
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

/** The groups of the palette; the first one adds triggers. */
export type GroupName = 'start' | (typeof GROUPS)[number]['name'];

/** What a node is dragged as. */
export const DRAGGED = 'application/x-tidings-node';
