import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, inWorkspace, value } from '../api/client';
import type { components } from '../api/schema';
import type { Condition } from '../conditions/grammar';
import { everyPage } from '../conditions/use-fields';
import { sampleOf } from './state';

export type Segment = components['schemas']['ShownSegment'];
export type Contact = components['schemas']['Contact'];

/** All segments, with how many each chooses: there are at most 200. */
export function useSegments(ws: string, enabled = true) {
  const headers = inWorkspace(ws);
  return useQuery({
    queryKey: ['segments', ws],
    enabled,
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        value(api.GET('/api/v1/segments', { params: { query: { limit: 100, cursor } }, headers, signal })),
      ),
  });
}

/** Segments by words of their names, newest first. */
export function useFoundSegments(ws: string, q: string | undefined) {
  return useInfiniteQuery({
    queryKey: ['segments', ws, 'found', { q }],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      value(
        api.GET('/api/v1/segments', {
          params: { query: { q, limit: 100, cursor, include: cursor ? undefined : 'total' } },
          headers: inWorkspace(ws),
          signal,
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** While somebody types, nobody asks. */
const PAUSE = 350;

/** Some of whom a condition chooses now. */
export function useSample(ws: string, condition: Condition) {
  const [filter] = useDebouncedValue(condition, PAUSE);
  return useQuery({
    queryKey: ['segment-sample', ws, filter],
    queryFn: ({ signal }) =>
      value(
        api.POST('/api/v1/contacts/search', {
          headers: inWorkspace(ws),
          signal,
          body: { filter, limit: 100 },
        }),
      ),
    select: sampleOf<Contact>,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
