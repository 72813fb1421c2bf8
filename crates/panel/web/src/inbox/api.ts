import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { listIn } from '../api/lists';
import type { components } from '../api/schema';
import { allChannels } from '../channels/api';
import { SELDOM } from '../live/use-live';
import { type Conversation, type InboxSearch, queryOf } from './views';

type ConversationPage = components['schemas']['List_Conversation'];
export type Channel = components['schemas']['Channel'];

const listOf = keys.conversations;
const oneOf = (ws: string, id: string) => [...keys.conversation(ws), id];

/**
 * The refresh interval of lists in milliseconds. A bot's messages change the order without changing a
 * conversation.
 */
const WHOLE = 30_000;

const viewOf = (ws: string, search: InboxSearch, me: string) => [...listOf(ws), queryOf(search, me)];

/** The conversations of one page of a list. The list draws them all. */
const SIZE = 50;

/** The conversations of a view, with their total number. */
export function useConversations(ws: string, search: InboxSearch, me: string) {
  return useInfiniteQuery({
    ...listIn(ws, viewOf(ws, search, me), '/api/v1/conversations', {
      query: { ...queryOf(search, me), include: 'total', limit: SIZE },
    }),
    refetchInterval: WHOLE,
    placeholderData: (before) => before,
  });
}

/** A conversation. Its initial data is from a list that contains it. */
export function useConversation(ws: string, id: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: oneOf(ws, id),
    queryFn: ({ signal }) =>
      apiIn(ws).GET('/api/v1/conversations/{id}', { params: { path: { id } }, signal }),
    initialData: () => inLists(client, ws, id)?.found,
    initialDataUpdatedAt: () => inLists(client, ws, id)?.at,
    // Changes are reported or polled with the changed conversations, and then shown at once.
    staleTime: SELDOM,
  });
}

type Lists = InfiniteData<ConversationPage>;

export function loadedConversations(client: QueryClient, ...list: Parameters<typeof viewOf>): Conversation[] {
  return client.getQueryData<Lists>(viewOf(...list))?.pages.flatMap((page) => page.data) ?? [];
}

/** A conversation in a list, and the time at which the list was read. */
function inLists(client: QueryClient, ws: string, id: string) {
  for (const [queryKey, list] of client.getQueriesData<Lists>({ queryKey: listOf(ws) })) {
    const found = list?.pages.flatMap((page) => page.data).find((it) => it.id === id);
    if (found) return { found, at: client.getQueryState(queryKey)?.dataUpdatedAt ?? 0 };
  }
  return undefined;
}

/** Updates a conversation in all caches, unless a newer version is cached. */
export function keepConversation(client: QueryClient, ws: string, now: Conversation): void {
  client.setQueryData<Conversation>(oneOf(ws, now.id), (known) =>
    known && known.version > now.version ? known : now,
  );
  client.setQueriesData<Lists>(
    { queryKey: listOf(ws) },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          data: page.data.map((it) => (it.id === now.id && it.version <= now.version ? now : it)),
        })),
      },
  );
}

const NONE: Channel[] = [];

/** All channels, for filters and names. */
export function useChannels(ws: string): Channel[] {
  const { data } = useQuery({ ...allChannels(ws), staleTime: 60_000 });
  return data ?? NONE;
}
