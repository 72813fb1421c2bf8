import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiIn, value } from '../api/client';
import { keys } from '../api/keys';
import { pages } from '../api/pages';
import type { components } from '../api/schema';
import { SELDOM } from '../live/use-live';
import { type Conversation, type InboxSearch, queryOf } from './views';

type ConversationPage = components['schemas']['List_Conversation'];
export type Channel = components['schemas']['Channel'];

const listOf = keys.conversations;
const oneOf = (ws: string, id: string) => [...keys.conversation(ws), id];

/** How often a list is read whole: what a bot says changes the order without changing a conversation. */
const WHOLE = 30_000;

const viewOf = (ws: string, search: InboxSearch, me: string) => [...listOf(ws), queryOf(search, me)];

/** The conversations of a view, and how many there are. */
export function useConversations(ws: string, search: InboxSearch, me: string) {
  return useInfiniteQuery({
    ...pages(viewOf(ws, search, me), (cursor, signal) =>
      value(
        apiIn(ws).GET('/api/v1/conversations', {
          params: { query: { ...queryOf(search, me), include: 'total', limit: 100, cursor } },
          signal,
        }),
      ),
    ),
    refetchInterval: WHOLE,
    placeholderData: (before) => before,
  });
}

/** One conversation, from the lists where it stands in one. */
export function useConversation(ws: string, id: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: oneOf(ws, id),
    queryFn: ({ signal }) =>
      value(apiIn(ws).GET('/api/v1/conversations/{id}', { params: { path: { id } }, signal })),
    initialData: () => inLists(client, ws, id)?.found,
    initialDataUpdatedAt: () => inLists(client, ws, id)?.at,
    // Each change is told or read with the changed conversations, and then shown at once.
    staleTime: SELDOM,
  });
}

type Lists = InfiniteData<ConversationPage>;

/** The conversations of a view, as far as they are loaded. */
export function loadedConversations(client: QueryClient, ...list: Parameters<typeof viewOf>): Conversation[] {
  return client.getQueryData<Lists>(viewOf(...list))?.pages.flatMap((page) => page.data) ?? [];
}

/** A conversation in a list, and when the list was read. */
function inLists(client: QueryClient, ws: string, id: string) {
  for (const [queryKey, list] of client.getQueriesData<Lists>({ queryKey: listOf(ws) })) {
    const found = list?.pages.flatMap((page) => page.data).find((it) => it.id === id);
    if (found) return { found, at: client.getQueryState(queryKey)?.dataUpdatedAt ?? 0 };
  }
  return undefined;
}

/** Keeps a conversation as it was just answered, wherever it is shown. */
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

/** The channels, by which conversations are filtered and known. */
export function useChannels(ws: string): Channel[] {
  const { data } = useQuery({
    queryKey: [...keys.channels(ws), 'all'],
    queryFn: async ({ signal }) =>
      (
        await value(
          apiIn(ws).GET('/api/v1/channels', {
            params: { query: { limit: 100, sort: 'created_at' } },
            signal,
          }),
        )
      ).data,
    staleTime: 60_000,
  });
  return data ?? NONE;
}
