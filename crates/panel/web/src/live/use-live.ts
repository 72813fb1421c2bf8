import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { problemOf } from '../api/problem';
import type { components } from '../api/schema';
import type { Told } from './blocks';
import { Changes } from './changes';
import { knownConversation, refreshAfter, refreshLists } from './conversations';
import { streamOf, useIsLive } from './use-stream';
import { isAll } from './use-told';

type Conversation = components['schemas']['Conversation'];

/** The polling intervals in milliseconds, for the inbox and for other pages. */
export const OFTEN = 3_000;
export const SELDOM = 15_000;
/** The milliseconds within which events are handled together. */
const TOGETHER = 150;

/**
 * Refreshes conversations after changes, while the page is visible: after events of the live stream, and by
 * polling. All parts of the panel that show conversations use this hook.
 */
export function useLiveConversations(ws: string, every: number): void {
  const client = useQueryClient();
  const changes = useRef<{ ws: string; of: Changes }>(undefined);
  if (changes.current?.ws !== ws) changes.current = { ws, of: new Changes() };
  const { of } = changes.current;
  useEffect(() => listen(client, ws), [client, ws]);
  const isLive = useIsLive(ws);
  useQuery({
    queryKey: ['live-conversations', ws],
    queryFn: async ({ signal }) => {
      const { data, error, response } = await apiIn(ws).raw.GET('/api/v1/conversations', {
        params: { query: { updated_after: of.since, limit: of.since ? 100 : 1 } },
        signal,
      });
      if (!response.ok || !data) throw problemOf(response, error);
      const fresh = of.take(data.data, response.headers.get('Date'));
      const isNews = (it: Conversation) => (knownConversation(client, ws, it.id)?.version ?? 0) < it.version;
      if (fresh.some(isNews)) refreshLists(client, ws);
      for (const it of fresh) {
        client.setQueryData<Conversation>([...keys.conversation(ws), it.id], (known) =>
          known && known.version > it.version ? known : it,
        );
      }
      return of.since ?? '';
    },
    refetchInterval: isLive ? Math.max(every, SELDOM) : every,
    staleTime: 1_000,
  });
}

/** Whether an event is about conversations or messages. */
export function isOfConversations(told: Told): boolean {
  if (isAll(told)) return true;
  const { event, data } = told;
  if (event !== 'changed') return event.startsWith('message.') || event.startsWith('conversation.');
  const { changed } = data as { changed: { type: string } };
  return changed.type === 'conversation' || changed.type === 'message';
}

/** The listeners by workspace. Several components share one, so each change causes one refresh. */
const listening = new Map<string, { users: number; stop: () => void }>();

function listen(client: QueryClient, ws: string): () => void {
  const known = listening.get(ws) ?? { users: 0, stop: begin(client, ws) };
  known.users += 1;
  listening.set(ws, known);
  return () => {
    known.users -= 1;
    if (known.users > 0) return;
    listening.delete(ws);
    known.stop();
  };
}

function begin(client: QueryClient, ws: string): () => void {
  const waiting: Told[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = () => {
    timer = undefined;
    for (const told of waiting.splice(0)) refreshAfter(client, ws, told);
  };
  const stop = streamOf(ws).listen((told) => {
    if (!isOfConversations(told)) return;
    waiting.push(told);
    timer ??= setTimeout(ask, TOGETHER);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
