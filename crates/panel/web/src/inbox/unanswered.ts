import { useQuery } from '@tanstack/react-query';
import { api, inWorkspace, value } from '../api/client';

/** The API has no filter for conversations without a reply, so up to this number of pages is read. */
const MAX_PAGES = 5;

export interface Unanswered {
  count: number;
  /** Whether there are open conversations that are not counted. */
  more: boolean;
}

/** The number of open conversations with a contact who waits for a reply. */
export function useUnanswered(ws: string): Unanswered | undefined {
  const { data } = useQuery({
    queryKey: ['unanswered-count', ws],
    queryFn: async ({ signal }): Promise<Unanswered> => {
      let count = 0;
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const query = { status: 'open' as const, sort: '-last_message_at' as const, limit: 100, cursor };
        const headers = inWorkspace(ws);
        const found = await value(api.GET('/api/v1/conversations', { params: { query }, headers, signal }));
        count += found.data.filter((it) => it.waiting_since).length;
        if (!found.next_cursor) return { count, more: false };
        cursor = found.next_cursor;
      }
      return { count, more: true };
    },
    refetchInterval: 15_000,
  });
  return data;
}
