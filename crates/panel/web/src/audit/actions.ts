import type { operations } from '../api/schema';

type Query = NonNullable<operations['list_audit_log']['parameters']['query']>;

export type AuditFilters = Omit<Query, 'limit' | 'sort' | 'cursor'>;
/** An object type, such as `tag`. */
export type Kind = NonNullable<Query['object_type']>;
/** An action, such as `tag.updated`. */
export type Action = NonNullable<Query['action']>;

/** The actions in the audit log, by object type. */
export const ACTIONS: Record<Kind, readonly string[]> = {
  workspace: ['created', 'updated', 'outbound_changed'],
  sandbox: ['created', 'reset'],
  member: ['joined', 'role_changed', 'removed', 'reset_link_created'],
  invitation: ['created', 'withdrawn'],
  api_key: ['created', 'rotated', 'revoked'],
  webhook: ['created', 'updated', 'secret_rotated', 'paused', 'enabled', 'disabled', 'deleted'],
  channel: ['created', 'updated', 'connected', 'disconnected', 'deleted'],
  secret: ['created', 'replaced', 'deleted'],
  tag: ['created', 'updated', 'deleted'],
  custom_field: ['created', 'updated', 'deleted'],
  bot_field: ['created', 'updated', 'value_set', 'deleted'],
  segment: ['created', 'updated', 'deleted'],
  saved_reply: ['created', 'updated', 'deleted'],
  media: ['created', 'updated', 'deleted'],
  flow: ['created', 'updated', 'published', 'status_changed', 'restored', 'deleted'],
  sequence: ['created', 'updated', 'deleted'],
  contact: [
    'created',
    'updated',
    'tags_changed',
    'deleted',
    'restored',
    'erased',
    'merged',
    'disclosed',
    'exported',
  ],
  import: ['created', 'cancelled'],
  bulk_operation: ['created', 'cancelled'],
  job: ['retried', 'dropped'],
  broadcast: ['created', 'updated', 'sent', 'paused', 'resumed', 'cancelled', 'deleted'],
};

export const KINDS = Object.keys(ACTIONS) as Kind[];
