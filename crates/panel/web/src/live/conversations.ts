import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import { keys } from '../api/keys';
import type { components } from '../api/schema';
import type { Told } from './blocks';
import { refreshSoon } from './refresh';
import { isAll } from './use-told';

type Conversation = components['schemas']['Conversation'];
type Message = components['schemas']['Message'];
type Pages<Row> = InfiniteData<{ data: Row[] }>;

/** The minimum number of milliseconds between two refreshes of lists and counts. */
const APART = 1_000;

/**
 * Refreshes the lists of conversations and their counts, because a conversation may have moved to another
 * list.
 */
export function refreshLists(client: QueryClient, ws: string): void {
  refreshSoon(client, keys.conversations(ws), { apart: APART });
  refreshCounts(client, ws);
}

export function refreshCounts(client: QueryClient, ws: string): void {
  refreshSoon(client, keys.conversationCounts(ws), { apart: APART });
  refreshSoon(client, keys.viewCounts(ws), { apart: APART });
}

export function refreshAll(client: QueryClient, ws: string): void {
  refreshLists(client, ws);
  for (const shown of ['conversation', 'thread-end']) refreshSoon(client, [shown, ws]);
}

/** The newest version of a conversation in the caches of its page and of the lists. */
export function knownConversation(client: QueryClient, ws: string, id: string): Conversation | undefined {
  const lists = client.getQueriesData<Pages<Conversation>>({ queryKey: keys.conversations(ws) });
  const rows = lists.flatMap(([, list]) => list?.pages.flatMap((page) => page.data) ?? []);
  const one = client.getQueryData<Conversation>([...keys.conversation(ws), id]);
  return [...(one ? [one] : []), ...rows.filter((it) => it.id === id)].reduce<Conversation | undefined>(
    (newest, it) => (newest && newest.version >= it.version ? newest : it),
    undefined,
  );
}

/**
 * Refreshes data that a change made stale. A change that is already cached, such as the user's own, causes no
 * request. The response to a change may arrive after its event, so this is called with a delay.
 */
export function refreshAfter(client: QueryClient, ws: string, told: Told): void {
  if (isAll(told)) {
    refreshAll(client, ws);
  } else if (told.event === 'changed') {
    afterHint(client, ws, told.data as Hint);
  } else {
    afterEvent(client, ws, told.event, told.data as FeedEvent);
  }
}

interface FeedEvent {
  data?: { object?: unknown };
}

function afterEvent(client: QueryClient, ws: string, type: string, { data }: FeedEvent): void {
  if (data?.object === undefined) return;
  if (type.startsWith('message.')) {
    afterMessage(client, ws, data.object as Message);
  } else if (type.startsWith('conversation.')) {
    const { id, version } = data.object as Pick<Conversation, 'id' | 'version'>;
    afterConversation(client, ws, id, version);
  }
}

interface Hint {
  changed: { type: string; id: string | null; version: number | null };
}

function afterHint(client: QueryClient, ws: string, { changed: { type, id, version } }: Hint): void {
  if (type === 'conversation') {
    if (id === null) refreshAll(client, ws);
    else afterConversation(client, ws, id, version);
  }
  if (type !== 'message') return;
  const known = id === null ? undefined : messageOf(client, ws, id);
  if (known && version !== null && known.version >= version) return;
  refreshThread(client, keys.threadEnd(ws));
  // An unknown message is a new one, possibly in another conversation.
  if (!known) refreshLists(client, ws);
}

function afterConversation(client: QueryClient, ws: string, id: string, version: number | null): void {
  const known = knownConversation(client, ws, id);
  if (known && version !== null && known.version >= version) return;
  refreshLists(client, ws);
  refreshSoon(client, [...keys.conversation(ws), id]);
}

function afterMessage(client: QueryClient, ws: string, message: Message): void {
  const { conversation_id: id } = message;
  if (!patchMessage(client, ws, message)) refreshThread(client, [...keys.threadEnd(ws), id]);
  const last = id === null ? undefined : knownConversation(client, ws, id)?.last_message_at;
  if (!last || Date.parse(last) < Date.parse(message.created_at)) refreshLists(client, ws);
}

/**
 * Refreshes the end of a thread at once, because events were already collected and the user may be reading
 * it.
 */
const refreshThread = (client: QueryClient, queryKey: QueryKey) => refreshSoon(client, queryKey, { wait: 0 });

const threadsOf = (ws: string) => ({ queryKey: keys.thread(ws) });

function messageOf(client: QueryClient, ws: string, id: string): Message | undefined {
  const threads = client.getQueriesData<Pages<Message>>(threadsOf(ws));
  return threads
    .flatMap(([, thread]) => thread?.pages.flatMap((page) => page.data) ?? [])
    .find((it) => it.id === id);
}

/** Updates a message in the loaded threads. Returns whether a thread contains it. */
function patchMessage(client: QueryClient, ws: string, message: Message): boolean {
  const known = messageOf(client, ws, message.id);
  if (!known) return false;
  if (known.version >= message.version) return true;
  const newer = (it: Message) => (it.id === message.id ? message : it);
  client.setQueriesData<Pages<Message>>(
    threadsOf(ws),
    (thread) =>
      thread && { ...thread, pages: thread.pages.map((page) => ({ ...page, data: page.data.map(newer) })) },
  );
  return true;
}
