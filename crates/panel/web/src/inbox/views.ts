import type { components } from '../api/schema';
import { oneOf, text } from '../app/search-params';

export type Conversation = components['schemas']['Conversation'];

/** The views of the inbox. Each is one query of the API. */
export const VIEWS = ['open', 'waiting', 'mine', 'bot', 'snoozed', 'resolved', 'all'] as const;
export type View = (typeof VIEWS)[number];

export const ORDERS = ['newest', 'waiting'] as const;
export type Order = (typeof ORDERS)[number];

export interface InboxSearch {
  view?: View;
  order?: Order;
  /** Words in the name, email address, phone number or external ID of the contact. */
  q?: string;
  channel?: string;
  /** The ID of a member, or `none` for unassigned conversations. */
  assignee?: string;
  unread?: true;
  /** The ID of a tag of the contacts. */
  tag?: string;
}

/** Reads the search parameters and ignores invalid ones. */
export function readInboxSearch(search: Record<string, unknown>): InboxSearch {
  return {
    view: oneOf(VIEWS, search.view),
    order: oneOf(ORDERS, search.order),
    q: text(search.q),
    channel: text(search.channel),
    assignee: text(search.assignee),
    unread: search.unread === true || undefined,
    tag: text(search.tag),
  };
}

interface ViewFilter {
  status?: Conversation['status'];
  assignee_id?: string;
  waiting?: true;
}

/** The API filters of a view. */
export function filterOf(view: View, me: string): ViewFilter {
  if (view === 'mine') return { status: 'open', assignee_id: me };
  if (view === 'all') return {};
  if (view === 'waiting') return { status: 'open', waiting: true };
  return { status: view === 'bot' ? 'pending' : view };
}

/** The API parameters for the filters that lists and counts support. */
export function filtersOf({ channel, assignee, unread, tag }: InboxSearch) {
  return { assignee_id: assignee, channel_id: channel, unread, tag: tag ? [tag] : undefined };
}

/** The API parameters of a list, without paging. */
export function queryOf(search: InboxSearch, me: string) {
  const sort = orderOf(search) === 'waiting' ? ('waiting_since' as const) : ('-last_message_at' as const);
  return { q: search.q, ...filtersOf(search), ...filterOf(search.view ?? 'open', me), sort };
}

/** Whether a list is filtered in addition to its view. */
export function isFiltered({ q, channel, assignee, unread, tag }: InboxSearch): boolean {
  return Boolean(q || channel || assignee || unread || tag);
}

/** The search parameters without filters. */
export function withoutFilters(search: InboxSearch): InboxSearch {
  return {
    ...search,
    q: undefined,
    channel: undefined,
    assignee: undefined,
    unread: undefined,
    tag: undefined,
  };
}

/** The order in the address, or the default order of the view. */
export function orderOf({ view, order }: InboxSearch): Order {
  return order ?? (view === 'waiting' ? 'waiting' : 'newest');
}

/** The rows of a view among the loaded conversations, sorted. */
export function rowsOf(loaded: Conversation[], search: InboxSearch): Conversation[] {
  const rows = search.view === 'waiting' ? loaded.filter((it) => it.waiting_since) : loaded;
  return arranged(rows, orderOf(search));
}

/** The time of the last activity in a conversation. */
export function lastOf(it: Conversation): string {
  return it.last_message_at ?? it.created_at;
}

/**
 * Sorts conversations: newest first, or longest waiting first. Those that do not wait are last, in the order
 * of the API.
 */
export function arranged(all: Conversation[], order: Order): Conversation[] {
  if (order === 'newest') {
    return all.toSorted((a, b) => lastOf(b).localeCompare(lastOf(a)) || a.id.localeCompare(b.id));
  }
  return all.toSorted((a, b) => {
    if (a.waiting_since && b.waiting_since) return a.waiting_since.localeCompare(b.waiting_since);
    return Number(!a.waiting_since) - Number(!b.waiting_since);
  });
}
