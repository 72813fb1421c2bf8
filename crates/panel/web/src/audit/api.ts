import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../api/client';
import { pages } from '../api/pages';
import type { components } from '../api/schema';
import type { AuditFilters } from './actions';

export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditChange = components['schemas']['AuditChange'];

export function auditPath(ws: string): string {
  return `/platform/workspaces/${ws}/audit-log`;
}

/** The changes by users and API keys, newest first. */
export function useAuditLog(ws: string, filters: AuditFilters) {
  return useInfiniteQuery({
    ...pages(['audit-log', ws, filters], (cursor, signal) =>
      api.GET('/platform/workspaces/{ws}/audit-log', {
        params: { path: { ws }, query: { ...filters, limit: 50, cursor } },
        signal,
      }),
    ),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : 15_000),
  });
}
