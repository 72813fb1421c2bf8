import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import { keys } from '../api/keys';
import type { components } from '../api/schema';
import type { Told } from './blocks';
import { refreshSoon } from './refresh';
import { isAll } from './use-told';

type Conversation = components['schemas']['Conversation'];
type Message = components['schemas']['Message'];
type Pages<Row> = InfiniteData<{ data: Row[] }>;

/** The milliseconds between two reads of the lists and counts. */
const APART = 1_000;

/** Reads the lists of conversations and their counts again: a conversation may be in another list now. */
export function refreshLists(client: QueryClient, ws: string): void {
  refreshSoon(client, keys.conversations(ws), { apart: APART });
  refreshCounts(client, ws);
}

/** Reads the numbers of conversations again. */
export function refreshCounts(client: QueryClient, ws: string): void {
  refreshSoon(client, keys.conversationCounts(ws), { apart: APART });
  refreshSoon(client, keys.viewCounts(ws), { apart: APART });
}

/** Reads everything that is shown of conversations again. */
export function refreshAll(client: QueryClient, ws: string): void {
  refreshLists(client, ws);
  for (const shown of ['conversation', 'thread-end']) refreshSoon(client, [shown, ws]);
}

/** A conversation as it is known, from its page or a list: the newest version. */
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
 * Reads again what a change made old. A change that the panel knows already, such as its own, causes no request. The
 * response to a change can arrive after the change is told, so this is called a moment later.
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
  // A message that is not known is a new one, here or in another conversation.
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

/** The end of a thread is read at once: the events were gathered, and somebody may be reading. */
const refreshThread = (client: QueryClient, queryKey: QueryKey) => refreshSoon(client, queryKey, { wait: 0 });

const threadsOf = (ws: string) => ({ queryKey: keys.thread(ws) });

function messageOf(client: QueryClient, ws: string, id: string): Message | undefined {
  const threads = client.getQueriesData<Pages<Message>>(threadsOf(ws));
  return threads
    .flatMap(([, thread]) => thread?.pages.flatMap((page) => page.data) ?? [])
    .find((it) => it.id === id);
}

/** Shows a message of a loaded thread as it is now. Returns whether a thread contains it. */
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
