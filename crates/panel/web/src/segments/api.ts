import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { allIn, listIn } from '../api/lists';
import type { components } from '../api/schema';
import type { Condition } from '../conditions/grammar';
import { sampleOf } from './state';

export type Segment = components['schemas']['ShownSegment'];
export type Contact = components['schemas']['Contact'];

/** All segments with their numbers of contacts. There are at most 200. */
export function useSegments(ws: string, enabled = true) {
  return useQuery({ ...allIn(ws, keys.segments(ws), '/api/v1/segments'), enabled });
}

/** Segments by words in the name, newest first. */
export function useFoundSegments(ws: string, q: string | undefined) {
  return useInfiniteQuery({
    ...listIn(ws, [...keys.segments(ws), 'found', { q }], '/api/v1/segments', {
      query: { q, include: 'total' },
    }),
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
      apiIn(ws).POST('/api/v1/contacts/search', { signal, body: { filter, limit: 100 } }),
    select: sampleOf<Contact>,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
