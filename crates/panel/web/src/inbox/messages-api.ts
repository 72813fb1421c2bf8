import {
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { pages } from '../api/pages';
import type { components } from '../api/schema';
import { refreshLists } from '../live/conversations';
import { refreshSoon } from '../live/refresh';
import { OFTEN, SELDOM } from '../live/use-live';
import { useIsLive } from '../live/use-stream';
import type { Message } from '../sandbox/messages';
import { keepConversation } from './api';
import { drafts, type WriteMessage } from './drafts';
import type { Attachment } from './files/media';
import { type Page, type Pages, withLatest, withMessage } from './items';
import type { Conversation } from './views';

const threadOf = (ws: string, id: string) => [...keys.thread(ws), id];
const endOf = (ws: string, id: string) => [...keys.threadEnd(ws), id];
const lastOf = (ws: string, id: string, at: string | null) => ['last-message', ws, id, at];

function page(ws: string, id: string, limit: number, cursor: string | undefined, signal: AbortSignal) {
  return apiIn(ws).GET('/api/v1/conversations/{id}/messages', {
    params: { path: { id }, query: { limit, sort: '-created_at', cursor } },
    signal,
  });
}

const SIZE = 50;

/**
 * The messages of a conversation, newest first. The newest page is read again after changes from the live
 * stream, and by polling.
 */
export function useThread(ws: string, id: string) {
  const client = useQueryClient();
  const isLive = useIsLive(ws);
  const thread = useInfiniteQuery({
    ...pages(threadOf(ws, id), async (cursor, signal): Promise<Page> => {
      const read = await page(ws, id, SIZE, cursor, signal);
      // The end was just read, so it need not be read again.
      if (!cursor) client.setQueryData(endOf(ws, id), read.data[0]?.id ?? null);
      return read;
    }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useQuery({
    queryKey: endOf(ws, id),
    enabled: thread.isSuccess,
    queryFn: async ({ signal }) => {
      const latest = await page(ws, id, SIZE, undefined, signal);
      client.setQueryData<Pages>(threadOf(ws, id), (known) => withLatest(known, latest));
      return latest.data[0]?.id ?? null;
    },
    // The live stream has no event for a file that was fetched from the provider.
    refetchInterval: isLive && !hasPendingFile(thread.data) ? SELDOM : OFTEN,
    staleTime: 1_000,
  });
  return thread;
}

/** Whether a message of the newest page has a file that the server is fetching. */
function hasPendingFile(known: { pages: Page[] } | undefined): boolean {
  const files: Attachment[] = known?.pages[0]?.data.flatMap((it) => it.attachments) ?? [];
  return files.some((it) => it.status === 'pending');
}

export function useLastMessage(ws: string, { id, last_message_at }: Conversation, enabled: boolean) {
  return useQuery({
    queryKey: lastOf(ws, id, last_message_at),
    enabled,
    queryFn: async ({ signal }) => (await page(ws, id, 1, undefined, signal)).data[0] ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
}

/** The parts of a contact's message that lists omit. The generated types do not contain them yet. */
interface Original {
  html?: string;
  text_full?: string;
}

/** The parts of a message that its list omits. */
export function useOriginal(ws: string, id: string) {
  return useQuery({
    queryKey: ['original', ws, id],
    queryFn: async ({ signal }) =>
      (await apiIn(ws).GET('/api/v1/messages/{id}', { params: { path: { id } }, signal })) as Original,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * Sends a message. The idempotency key belongs to the draft, so a retry does not send it twice. The draft is
 * cleared after success, even if another page is open by then, and kept after a failure.
 */
export function useWrite(ws: string, conversation: Conversation) {
  const client = useQueryClient();
  const { id } = conversation;
  return useMutation({
    mutationFn: (body: WriteMessage): Promise<Message> =>
      apiIn(ws).POST('/api/v1/conversations/{id}/messages', {
        params: { path: { id }, header: { 'Idempotency-Key': drafts.keyFor(id, body) } },
        // The generated types do not contain `media_id` yet.
        body: body as unknown as components['schemas']['WriteMessage'],
      }),
    onSuccess: (message, body) => {
      drafts.sent(id, body);
      showSent(client, ws, conversation, message);
    },
  });
}

/** Sends a message again. The server makes at most one copy, so the request can be repeated. */
export function useResend(ws: string, conversation: Conversation) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Message): Promise<Message> =>
      apiIn(ws).POST('/api/v1/messages/{id}/resend', { params: { path: { id } } }),
    onSuccess: (copy, message) => {
      const linked = { ...message, resent_as: copy.id, version: message.version + 1 };
      client.setQueryData<Pages>(threadOf(ws, conversation.id), (known) => withMessage(known, linked));
      showSent(client, ws, conversation, copy);
    },
  });
}

/** Adds a sent message to the thread, and refreshes the conversation and the lists. */
function showSent(client: QueryClient, ws: string, conversation: Conversation, message: Message) {
  const { id } = conversation;
  client.setQueryData<Pages>(threadOf(ws, id), (known) => withMessage(known, message));
  client.setQueryData(lastOf(ws, id, message.created_at), message);
  // The first reply also changes the assignee and the waiting time.
  refreshSoon(client, [...keys.conversation(ws), id]);
  keepConversation(client, ws, { ...conversation, last_message_at: message.created_at });
  refreshLists(client, ws);
}
