import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { apiIn, value } from '../api/client';
import { keys } from '../api/keys';
import { everyPage, pages } from '../api/pages';
import type { components } from '../api/schema';
import type { Condition } from '../conditions/grammar';
import { sampleOf } from './state';

export type Segment = components['schemas']['ShownSegment'];
export type Contact = components['schemas']['Contact'];

/** All segments with their numbers of contacts. There are at most 200. */
export function useSegments(ws: string, enabled = true) {
  const api = apiIn(ws);
  return useQuery({
    queryKey: keys.segments(ws),
    enabled,
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        value(api.GET('/api/v1/segments', { params: { query: { limit: 100, cursor } }, signal })),
      ),
  });
}

/** Segments by words in the name, newest first. */
export function useFoundSegments(ws: string, q: string | undefined) {
  return useInfiniteQuery({
    ...pages([...keys.segments(ws), 'found', { q }], (cursor, signal) =>
      value(
        apiIn(ws).GET('/api/v1/segments', {
          params: { query: { q, limit: 100, cursor, include: cursor ? undefined : 'total' } },
          signal,
        }),
      ),
    ),
    placeholderData: keepPreviousData,
  });
}

/** The pause in changes before a search, in milliseconds. */
const PAUSE = 350;

/** Some contacts that match a condition. */
export function useSample(ws: string, condition: Condition) {
  const [filter] = useDebouncedValue(condition, PAUSE);
  return useQuery({
    queryKey: ['segment-sample', ws, filter],
    queryFn: ({ signal }) =>
      value(apiIn(ws).POST('/api/v1/contacts/search', { signal, body: { filter, limit: 100 } })),
    select: sampleOf<Contact>,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
