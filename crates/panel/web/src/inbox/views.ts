import type { components } from '../api/schema';

export type Conversation = components['schemas']['Conversation'];

/** What an operator looks at: each is one question to the API. */
export const VIEWS = ['open', 'waiting', 'mine', 'bot', 'snoozed', 'resolved', 'all'] as const;
export type View = (typeof VIEWS)[number];

export const ORDERS = ['newest', 'waiting'] as const;
export type Order = (typeof ORDERS)[number];

export interface InboxSearch {
  view?: View;
  order?: Order;
  channel?: string;
  /** The ID of a member, or `none` for unassigned conversations. */
  assignee?: string;
  unread?: true;
}

const among = <Value extends string>(all: readonly Value[], value: unknown): Value | undefined =>
  all.find((it) => it === value);

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** What an address asks for; what it does not know is left out. */
export function readInboxSearch(search: Record<string, unknown>): InboxSearch {
  return {
    view: among(VIEWS, search.view),
    order: among(ORDERS, search.order),
    channel: text(search.channel),
    assignee: text(search.assignee),
    unread: search.unread === true || undefined,
  };
}

/** The filters of the API that make a view. */
export function filterOf(view: View, me: string): { status?: Conversation['status']; assignee_id?: string } {
  if (view === 'mine') return { status: 'open', assignee_id: me };
  if (view === 'all') return {};
  // The API has no filter for conversations without a reply: `rowsOf` selects them.
  if (view === 'waiting') return { status: 'open' };
  return { status: view === 'bot' ? 'pending' : view };
}

/** The parameters of the API for a list without its page. */
export function queryOf(search: InboxSearch, me: string) {
  const { view = 'open', channel, assignee, unread } = search;
  // The API does not sort by waiting time. A contact who waits for long wrote long ago.
  const sort = orderOf(search) === 'waiting' ? ('last_message_at' as const) : ('-last_message_at' as const);
  return { assignee_id: assignee, ...filterOf(view, me), channel_id: channel, unread, sort };
}

/** Whether a list is filtered in addition to its view. */
export function isFiltered({ channel, assignee, unread }: InboxSearch): boolean {
  return Boolean(channel || assignee || unread);
}

/** A list without its filters. */
export function withoutFilters(search: InboxSearch): InboxSearch {
  return { ...search, channel: undefined, assignee: undefined, unread: undefined };
}

/** The order of a view, if the address contains none. */
export function orderOf({ view, order }: InboxSearch): Order {
  return order ?? (view === 'waiting' ? 'waiting' : 'newest');
}

/** The rows of a view among the loaded conversations, in their order. */
export function rowsOf(loaded: Conversation[], search: InboxSearch): Conversation[] {
  const rows = search.view === 'waiting' ? loaded.filter((it) => it.waiting_since) : loaded;
  return arranged(rows, orderOf(search));
}

/** When something last happened in a conversation. */
export function lastOf(it: Conversation): string {
  return it.last_message_at ?? it.created_at;
}

/** The newest first, or who waits longest first; who does not wait comes after who does. */
export function arranged(all: Conversation[], order: Order): Conversation[] {
  const newest = (a: Conversation, b: Conversation) =>
    lastOf(b).localeCompare(lastOf(a)) || a.id.localeCompare(b.id);
  if (order === 'newest') return all.toSorted(newest);
  return all.toSorted((a, b) => {
    if (a.waiting_since && b.waiting_since) return a.waiting_since.localeCompare(b.waiting_since);
    return Number(!a.waiting_since) - Number(!b.waiting_since) || newest(a, b);
  });
}
