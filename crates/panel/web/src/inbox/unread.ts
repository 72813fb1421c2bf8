import { useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';

/** The key of the counts that change with each message. */
export const countsOf = keys.conversationCounts;

/** The number of conversations with unread messages, in all views. */
export function useUnread(ws: string): number {
  const { data } = useQuery({
    queryKey: [...countsOf(ws), 'unread'],
    queryFn: async ({ signal }) => {
      const query = { unread: true, include: 'total' as const, limit: 1 };
      const api = apiIn(ws);
      const page = await api.GET('/api/v1/conversations', { params: { query }, signal });
      return page.total ?? 0;
    },
    refetchInterval: 30_000,
  });
  return data ?? 0;
}
