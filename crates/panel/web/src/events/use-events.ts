import { useInfiniteQuery } from '@tanstack/react-query';
import { isEvent, useTold } from '../live/use-told';
import { readFeed } from './api';
import { headOf, readBackwards } from './backwards';

const PAGE = 50;

/** The events of a workspace, newest first. New events appear at the top. */
export function useEvents(ws: string, kind: string | undefined) {
  const found = useInfiniteQuery({
    queryKey: ['events', ws, kind],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const read = (after: number, limit: number, types: string[]) =>
        readFeed(ws, { after, limit, types }, signal);
      return readBackwards(read, pageParam ?? (await headOf(read)), kind ? [kind] : [], PAGE);
    },
    getNextPageParam: (page) => (page.before > 0 ? page.before : undefined),
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : 5_000),
  });
  useTold(ws, isEvent, ['events', ws, kind], found.data?.pages.length === 1);
  return found;
}
