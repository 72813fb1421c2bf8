import type { Conversation } from './views';

/** An open conversation that a person handles, but for what a test says. */
export function conversation(but: Partial<Conversation>): Conversation {
  return {
    id: 'conv_1',
    contact_id: 'contact_1',
    channel_id: 'chan_1',
    status: 'open',
    handler: 'human',
    assignee_id: null,
    unread_count: 0,
    reopen_count: 0,
    waiting_since: null,
    first_reply_at: null,
    last_message_at: null,
    resolved_at: null,
    snoozed_until: null,
    created_at: '2026-01-01T09:00:00.000Z',
    updated_at: '2026-01-01T09:00:00.000Z',
    version: 1,
    ...but,
  };
}
