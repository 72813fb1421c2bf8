import { useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import type { components } from '../api/schema';
import { filtersOf, type InboxSearch, VIEWS, type View } from './views';

type InboxCounts = components['schemas']['InboxCounts'];

export interface Count {
  count: number;
  /** Whether the count is capped. */
  more: boolean;
}
export type Counts = Partial<Record<View, Count>>;

export const viewCountsOf = keys.viewCounts;

/** The number of conversations in each view, with the same filters; none for a search, which the API does not count. */
export function useViewCounts(ws: string, search: InboxSearch): Counts | undefined {
  const query = filtersOf(search);
  const { data } = useQuery({
    queryKey: [...viewCountsOf(ws), query],
    enabled: !search.q,
    queryFn: ({ signal }) => apiIn(ws).GET('/api/v1/conversations/counts', { params: { query }, signal }),
    placeholderData: (before) => before,
    refetchInterval: 30_000,
  });
  return data && !search.q ? countsByView(data) : undefined;
}

/** The number of open conversations that wait for a reply. */
export function useUnanswered(ws: string): Count | undefined {
  return useViewCounts(ws, {})?.waiting;
}

function countsByView(counts: InboxCounts): Counts {
  const entries = VIEWS.flatMap((view) => {
    const it = counts[view === 'bot' ? 'pending' : view];
    return it ? [[view, { count: it.count, more: it.is_capped }] as const] : [];
  });
  return Object.fromEntries(entries);
}
