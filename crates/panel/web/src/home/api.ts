import { useMutation, useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { api, apiIn } from '../api/client';
import type { components } from '../api/schema';
import { session } from '../app/session';
import { ClockLead } from '../components/clock';

const HOUR = 3600 * 1000;
/** The interval at which steps are checked, in milliseconds. */
const EVERY = 2_000;
/** The most pages of events that are read. A new sandbox has less than one page. */
const MOST_PAGES = 5;

export type FeedEvent = components['schemas']['FeedEvent'];
export type Histogram = components['schemas']['UsageHistogram'];

/** The requests with API keys in the last hours, in buckets. */
export function useRequests(ws: string, hours: number) {
  return useQuery({
    queryKey: ['requests', ws, hours],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - hours * HOUR).toISOString();
      return api.GET('/platform/workspaces/{ws}/usage/histogram', {
        params: { path: { ws }, query: { from, caller: 'key' } },
        signal,
      });
    },
    refetchInterval: 15_000,
  });
}

/** Whether an API key exists and was used. Refreshes until one was used. */
export function useFirstCall(ws: string) {
  return useQuery({
    queryKey: ['first-call', ws],
    queryFn: async ({ signal }) => {
      const { data } = await api.GET('/platform/workspaces/{ws}/api-keys', {
        params: { path: { ws }, query: { limit: 100 } },
        signal,
      });
      return { hasKey: data.length > 0, wasUsed: data.some((key) => key.last_used_at !== null) };
    },
    refetchInterval: (query) => (query.state.data?.wasUsed ? false : EVERY),
  });
}

/** The events of the sandbox, newest first. They are refreshed often until a message was received. */
export function useSandboxEvents(sandbox: string | undefined) {
  return useQuery({
    queryKey: ['sandbox-events', sandbox],
    enabled: sandbox !== undefined,
    queryFn: async ({ signal }) => {
      const all: FeedEvent[] = [];
      let after = 0;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const query = { after, limit: 100 };
        const { data } = await apiIn(sandbox ?? '').GET('/api/v1/events', { params: { query }, signal });
        all.push(...data);
        after = data.at(-1)?.position ?? after;
        if (data.length < 100) break;
      }
      return all.reverse();
    },
    refetchInterval: (query) => (spoke(query.state.data) ? 15_000 : EVERY),
  });
}

/** Whether a message was received from a contact. */
export function spoke(events: FeedEvent[] | undefined): boolean {
  return events?.some((event) => event.type === 'message.received') ?? false;
}

/** Creates the first API key. */
export function useFirstKey(ws: string, name: string) {
  return useMutation({
    mutationFn: () =>
      api.POST('/platform/workspaces/{ws}/api-keys', {
        params: { path: { ws } },
        body: { name, scope: 'write' },
      }),
  });
}

/** Simulates an incoming message. Creates the sandbox if it is missing. */
export function usePlay(live: string, hasSandbox: boolean) {
  return useMutation({
    mutationFn: async (text: string) => {
      const path = { ws: live };
      if (!hasSandbox) await api.POST('/platform/workspaces/{ws}/sandbox', { params: { path } });
      await api.POST('/platform/workspaces/{ws}/sandbox/inbound', {
        params: { path },
        body: { contact: 'ada', text },
      });
      if (!hasSandbox) await session.reload();
    },
  });
}

/** The contacts and messages of the last 24 hours by the clock of the workspace, for all members. */
export function useOverview(ws: string) {
  const lead = useContext(ClockLead);
  return useQuery({
    queryKey: ['overview', ws, lead],
    queryFn: ({ signal }) => {
      const from = new Date(Math.floor((Date.now() + lead - 24 * HOUR) / HOUR) * HOUR).toISOString();
      return apiIn(ws).GET('/api/v1/analytics/overview', {
        params: { query: { from, interval: 'hour' } },
        signal,
      });
    },
    refetchInterval: 15_000,
  });
}
