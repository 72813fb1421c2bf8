import { useMutation, useQuery } from '@tanstack/react-query';
import { api, apiIn, value } from '../api/client';
import type { components } from '../api/schema';
import { session } from '../app/session';

const HOUR = 3600 * 1000;
/** How often a step looks whether it is done. */
const EVERY = 2_000;
/** How many pages of events are read: a sandbox that was just made has less than one. */
const MOST_PAGES = 5;

export type FeedEvent = components['schemas']['FeedEvent'];
export type Histogram = components['schemas']['UsageHistogram'];

/** The requests of keys in the last hours, in buckets. */
export function useRequests(ws: string, hours: number) {
  return useQuery({
    queryKey: ['requests', ws, hours],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - hours * HOUR).toISOString();
      return value(
        api.GET('/platform/workspaces/{ws}/usage/histogram', {
          params: { path: { ws }, query: { from, caller: 'key' } },
          signal,
        }),
      );
    },
    refetchInterval: 15_000,
  });
}

/** Whether any key was used yet; asks on until it was. */
export function useFirstCall(ws: string) {
  return useQuery({
    queryKey: ['first-call', ws],
    queryFn: async ({ signal }) => {
      const { data } = await value(
        api.GET('/platform/workspaces/{ws}/api-keys', {
          params: { path: { ws }, query: { limit: 100 } },
          signal,
        }),
      );
      return { hasKey: data.length > 0, wasUsed: data.some((key) => key.last_used_at !== null) };
    },
    refetchInterval: (query) => (query.state.data?.wasUsed ? false : EVERY),
  });
}

/** What happened in the sandbox, newest first; asks on until a contact has said something. */
export function useSandboxEvents(sandbox: string | undefined) {
  return useQuery({
    queryKey: ['sandbox-events', sandbox],
    enabled: sandbox !== undefined,
    queryFn: async ({ signal }) => {
      const all: FeedEvent[] = [];
      let after = 0;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const query = { after, limit: 100 };
        const { data } = await value(
          apiIn(sandbox ?? '').GET('/api/v1/events', { params: { query }, signal }),
        );
        all.push(...data);
        after = data.at(-1)?.position ?? after;
        if (data.length < 100) break;
      }
      return all.reverse();
    },
    refetchInterval: (query) => (spoke(query.state.data) ? 15_000 : EVERY),
  });
}

/** Whether a contact has said something. */
export function spoke(events: FeedEvent[] | undefined): boolean {
  return events?.some((event) => event.type === 'message.received') ?? false;
}

/** Makes a key to try the API by. */
export function useFirstKey(ws: string, name: string) {
  return useMutation({
    mutationFn: () =>
      value(
        api.POST('/platform/workspaces/{ws}/api-keys', {
          params: { path: { ws } },
          body: { name, scope: 'write' },
        }),
      ),
  });
}

/** Plays a message, and makes the sandbox first where there is none. */
export function usePlay(live: string, hasSandbox: boolean) {
  return useMutation({
    mutationFn: async (text: string) => {
      const path = { ws: live };
      if (!hasSandbox) await value(api.POST('/platform/workspaces/{ws}/sandbox', { params: { path } }));
      await value(
        api.POST('/platform/workspaces/{ws}/sandbox/inbound', {
          params: { path },
          body: { contact: 'ada', text },
        }),
      );
      if (!hasSandbox) await session.reload();
    },
  });
}

/** What the workspace holds, for everybody in it. */
export function useOverview(ws: string) {
  return useQuery({
    queryKey: ['overview', ws],
    queryFn: ({ signal }) => {
      const from = new Date(Math.floor((Date.now() - 24 * HOUR) / HOUR) * HOUR).toISOString();
      return value(
        apiIn(ws).GET('/api/v1/analytics/overview', {
          params: { query: { from, interval: 'hour' } },
          signal,
        }),
      );
    },
    refetchInterval: 15_000,
  });
}
