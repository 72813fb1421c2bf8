import { useQuery } from '@tanstack/react-query';
import { api, inWorkspace, value } from '../api/client';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { useUnanswered } from './unanswered';
import { type InboxSearch, isFiltered, queryOf, VIEWS, type View } from './views';

const t = texts('inbox');

export interface Count {
  count: number;
  /** Whether there are more than are counted. */
  more: boolean;
}
export type Counts = Partial<Record<View, Count>>;

/** The views that the API counts. */
const COUNTED = VIEWS.filter((it) => it !== 'waiting');

/** The numbers of conversations of all views, with the same filters. */
export function useViewCounts(ws: string, search: InboxSearch, me: string): Counts {
  const unanswered = useUnanswered(ws);
  const queries = COUNTED.map((view) => {
    const { sort: _, ...query } = queryOf({ ...search, view }, me);
    return { view, query };
  });
  const { data } = useQuery({
    queryKey: ['view-counts', ws, queries],
    queryFn: async ({ signal }): Promise<Counts> => {
      const counted = queries.map(async ({ view, query }) => {
        const params = { query: { ...query, include: 'total' as const, limit: 1 } };
        const headers = inWorkspace(ws);
        const page = await value(api.GET('/api/v1/conversations', { params, headers, signal }));
        return [view, { count: page.total ?? 0, more: page.total_is_capped ?? false }] as const;
      });
      return Object.fromEntries(await Promise.all(counted));
    },
    placeholderData: (before) => before,
    refetchInterval: 30_000,
  });
  // Conversations without a reply are counted without filters only.
  const waiting = isFiltered(search) ? undefined : unanswered;
  return { ...data, ...(waiting && { waiting }) };
}

/** A count as the views show it: "12", "500+". */
export function countText({ count, more }: Count): string {
  return more ? t('capped', { count }) : number(count);
}
