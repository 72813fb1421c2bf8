import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, inWorkspace } from '../api/client';
import { problemOf } from '../api/problem';
import type { components } from '../api/schema';
import { Changes } from './changes';

type Conversation = components['schemas']['Conversation'];

/** How often what happens is asked for by who looks at it, and by who is on another page. */
export const OFTEN = 3_000;
export const SELDOM = 15_000;

/**
 * Hears of conversations that changed, while the page is in sight, and has what is shown of them asked
 * for anew. All parts of the panel that show conversations go through this one place.
 */
export function useLiveConversations(ws: string, every: number): void {
  const client = useQueryClient();
  const changes = useRef<{ ws: string; of: Changes }>(undefined);
  if (changes.current?.ws !== ws) changes.current = { ws, of: new Changes() };
  const { of } = changes.current;
  useQuery({
    queryKey: ['live-conversations', ws],
    queryFn: async ({ signal }) => {
      const { data, error, response } = await api.GET('/api/v1/conversations', {
        params: { query: { updated_after: of.since, limit: of.since ? 100 : 1 } },
        headers: inWorkspace(ws),
        signal,
      });
      if (!response.ok || !data) throw problemOf(response, error);
      const fresh = of.take(data.data, response.headers.get('Date'));
      if (fresh.length > 0) void client.invalidateQueries({ queryKey: ['conversations', ws] });
      for (const it of fresh) {
        client.setQueryData<Conversation>(['conversation', ws, it.id], (known) =>
          known && known.version > it.version ? known : it,
        );
      }
      return of.since ?? '';
    },
    refetchInterval: every,
    staleTime: 1_000,
  });
}
