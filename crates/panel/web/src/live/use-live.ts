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

/** How often what happens is asked for by who looks at it, and by who is on another page. */
export const OFTEN = 3_000;
export const SELDOM = 15_000;
/** What comes at once is handled together. */
const TOGETHER = 150;

/**
 * Hears of conversations that changed, while the page is in sight, and has what is shown of them asked
 * for anew: at once where the stream tells of it, and every so often where there is none. All parts of
 * the panel that show conversations go through this one place.
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
      const { data, error, response } = await apiIn(ws).GET('/api/v1/conversations', {
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

/** Whether something told is about conversations or what is said in them. */
export function isOfConversations(told: Told): boolean {
  if (isAll(told)) return true;
  const { event, data } = told;
  if (event !== 'changed') return event.startsWith('message.') || event.startsWith('conversation.');
  const { changed } = data as { changed: { type: string } };
  return changed.type === 'conversation' || changed.type === 'message';
}

/** Those who listen, by workspace: however many parts of a page do, each change is asked for once. */
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
