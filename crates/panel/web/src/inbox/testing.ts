import { message } from '../sandbox/testing';
import { type Answers, emptyLists } from '../settings/testing';
import type { Conversation } from './views';

/** An open conversation that a person handles, with the given changes. */
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
    window_expires_at: null,
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

/** A list with all its items on one page. */
export const page = (...data: unknown[]) => ({ data, next_cursor: null, total: data.length });

const VIEWS_OF_API = 'open waiting unread unassigned mine pending snoozed resolved all'.split(' ');

/** The number of conversations in each view. The default is 0, and a plus sign marks a capped number. */
export const counts = (but: Record<string, number | `${number}+`>) =>
  Object.fromEntries(
    VIEWS_OF_API.map((view) => {
      const count = but[view] ?? 0;
      return [view, { count: Number.parseInt(String(count), 10), is_capped: String(count).endsWith('+') }];
    }),
  );

const contact = (id: string, name: string) => ({
  id,
  name,
  email: null,
  phone: null,
  external_id: null,
  status: 'active',
  subscribed: true,
  identities: [{ channel_id: 'chan_1', address: name }],
  tags: [],
  custom_fields: {},
});
export const ADA = contact('contact_1', 'Ada');
export const GRACE = contact('contact_2', 'Grace');
export const WITH_ADA = conversation({ id: 'conv_1' });
export const WITH_GRACE = conversation({ id: 'conv_2', contact_id: 'contact_2' });

/** The responses of an inbox with two conversations, with the given changes. */
export function inboxAnswers(but: Answers = {}): Answers {
  return {
    'GET /api/v1/conversations': () => page(WITH_ADA, WITH_GRACE),
    'GET /api/v1/conversations/counts': () => counts({ open: 2, all: 2 }),
    'GET /api/v1/assignees': () => page(),
    'GET /api/v1/conversations/conv_1': () => WITH_ADA,
    'GET /api/v1/conversations/conv_2': () => WITH_GRACE,
    'GET /api/v1/conversations/conv_1/messages': () => page(message({ id: 'm1' })),
    'GET /api/v1/conversations/conv_2/messages': () => page(message({ id: 'm2' })),
    'POST /api/v1/contacts/search': () => page(ADA, GRACE),
    'GET /api/v1/contacts': () => page(ADA, GRACE),
    'GET /api/v1/contacts/contact_1': () => ADA,
    'GET /api/v1/contacts/contact_2': () => GRACE,
    'GET /api/v1/contacts/contact_1/timeline': () => page(),
    'GET /api/v1/contacts/contact_2/timeline': () => page(),
    'GET /api/v1/custom-fields': () => page(),
    'GET /api/v1/channels': () =>
      page({ id: 'chan_1', kind: 'http', name: 'Web', capabilities: { quick_replies: 0 } }),
    ...emptyLists('flows', 'sequences', 'tags'),
    'GET /platform/workspaces/ws_live/members': () => page(),
    ...but,
  };
}
