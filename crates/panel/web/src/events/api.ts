import { useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import type { components } from '../api/schema';

export type EventType = components['schemas']['EventType'];
export type FeedEvent = components['schemas']['FeedEvent'];
export type EventFeed = components['schemas']['EventFeed'];

export function useEventTypes(ws: string) {
  return useQuery({
    queryKey: ['event-types', ws],
    queryFn: async ({ signal }) => (await apiIn(ws).GET('/api/v1/event-types', { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export interface Asked {
  after: number;
  types?: string[];
  limit?: number;
}

/** Reads a page of the feed after a position. */
export function readFeed(ws: string, asked: Asked, signal?: AbortSignal): Promise<EventFeed> {
  const { types, ...rest } = asked;
  const query = { ...rest, types: types?.length ? types.join(',') : undefined };
  return apiIn(ws).GET('/api/v1/events', { params: { query }, signal });
}
