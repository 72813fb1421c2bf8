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
}

const among = <Value extends string>(all: readonly Value[], value: unknown): Value | undefined =>
  all.find((it) => it === value);

/** What an address asks for; what it does not know is left out. */
export function readInboxSearch(search: Record<string, unknown>): InboxSearch {
  return {
    view: among(VIEWS, search.view),
    order: among(ORDERS, search.order),
    channel: typeof search.channel === 'string' && search.channel !== '' ? search.channel : undefined,
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
