import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { pages } from '../api/pages';
import type { components } from '../api/schema';
import { isAbout, useTold } from '../live/use-told';
import { refreshWebhooks } from './api';
import type { Range } from './range';

export type Delivery = components['schemas']['Delivery'];
export type DeliveryDetail = components['schemas']['DeliveryDetail'];
export type Attempt = components['schemas']['DeliveryAttempt'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];

export interface Filters {
  status?: DeliveryStatus;
  event_type?: string;
  since?: string;
  until?: string;
}

const listOf = (ws: string, id: string) => [...keys.deliveries(ws), id];

/** A page of the deliveries to a webhook, newest first. */
function readPage(ws: string, id: string, query: object, signal?: AbortSignal) {
  return apiIn(ws).GET('/api/v1/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal });
}

/** The deliveries that match the filters. They are refreshed while only the first page is loaded. */
export function useDeliveries(ws: string, id: string, filters: () => Filters, key: unknown[]) {
  const found = useInfiniteQuery({
    ...pages([...listOf(ws, id), ...key], (cursor, signal) =>
      readPage(ws, id, cursor ? { ...filters(), limit: 50, cursor } : { ...filters(), limit: 50 }, signal),
    ),
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : 5_000),
  });
  const queryKey = [...listOf(ws, id), ...key];
  useTold(ws, (told) => isAbout(told, 'delivery'), queryKey, found.data?.pages.length === 1);
  return found;
}

/** The newest 100 deliveries, for statistics. */
export function useNewest(ws: string, id: string) {
  return useQuery({
    queryKey: [...listOf(ws, id), 'newest'],
    queryFn: async ({ signal }) => (await readPage(ws, id, { limit: 100 }, signal)).data,
    refetchInterval: 15_000,
  });
}

/** A delivery with its attempts. It is refreshed while it is pending. */
export function useDelivery(ws: string, id: string, delivery: string) {
  return useQuery({
    queryKey: [...listOf(ws, id), 'one', delivery],
    queryFn: ({ signal }) =>
      apiIn(ws).GET('/api/v1/webhooks/{id}/deliveries/{delivery_id}', {
        params: { path: { id, delivery_id: delivery } },
        signal,
      }),
    refetchInterval: (query) => (query.state.data?.status === 'pending' ? 2_000 : 15_000),
  });
}

export function useReplay(ws: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (delivery: string) =>
      apiIn(ws).POST('/api/v1/webhooks/{id}/deliveries/{delivery_id}/replay', {
        params: { path: { id, delivery_id: delivery } },
      }),
    onSuccess: () => refreshWebhooks(client, ws, id),
  });
}

/** The most pages of 100 deliveries that are counted before a replay. */
const PAGES = 5;

/** The number of deliveries that a replay would send. `more` is set if there are further ones. */
export function useCount(ws: string, id: string, range: Range | undefined) {
  return useQuery({
    queryKey: [...listOf(ws, id), 'count', range],
    enabled: range !== undefined,
    queryFn: async ({ signal }) => {
      let count = 0;
      let cursor: string | null = null;
      for (let page = 0; page < PAGES; page += 1) {
        const read: Awaited<ReturnType<typeof readPage>> = await readPage(
          ws,
          id,
          { ...range, limit: 100, ...(cursor ? { cursor } : {}) },
          signal,
        );
        count += read.data.length;
        cursor = read.next_cursor;
        if (!cursor) break;
      }
      return { count, more: cursor !== null };
    },
  });
}

/** Replays the deliveries of a time range. */
export function useReplayRange(ws: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Range) =>
      apiIn(ws).POST('/api/v1/webhooks/{id}/replay', { params: { path: { id } }, body }),
    onSuccess: () => refreshWebhooks(client, ws, id),
  });
}
