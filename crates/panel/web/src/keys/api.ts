import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, apiIn } from '../api/client';
import { keys } from '../api/keys';
import { pages } from '../api/pages';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';

export type ApiKey = components['schemas']['ApiKey'];
export type CreatedApiKey = components['schemas']['CreatedApiKey'];
export type Scope = components['schemas']['Scope'];

const keysOf = (ws: string) => ['keys', ws];

/** The API keys of a workspace that are not revoked, newest first. */
export function useKeys(ws: string) {
  return useInfiniteQuery(
    pages(keysOf(ws), (cursor, signal) =>
      api.GET('/platform/workspaces/{ws}/api-keys', {
        params: { path: { ws }, query: { limit: 100, cursor } },
        signal,
      }),
    ),
  );
}

/** The number of requests with each key in the last 24 hours. */
export function useUseOfKeys(ws: string) {
  return useQuery({
    queryKey: ['key-use', ws],
    queryFn: async ({ signal }) => {
      const { data } = await api.GET('/platform/workspaces/{ws}/usage/keys', {
        params: { path: { ws } },
        signal,
      });
      return new Map(data.map((it) => [it.key_id, it.requests]));
    },
    refetchInterval: 15_000,
  });
}

/** The limits of a workspace, such as the requests per minute of its plan. */
export function useMe(ws: string) {
  return useQuery({
    queryKey: keys.me(ws),
    queryFn: ({ signal }) => apiIn(ws).GET('/api/v1/me', { signal }),
    staleTime: 60_000,
  });
}

export interface NewKey {
  name: string;
  scope: Scope;
  expires_at: string | null;
}

/** Creates a key. Only this response contains its text. */
export function useCreateKey(ws: string) {
  return useChange(
    (body: NewKey) => api.POST('/platform/workspaces/{ws}/api-keys', { params: { path: { ws } }, body }),
    keysOf(ws),
  );
}

/** Replaces a key. Both keys work until the overlap ends. */
export function useRotateKey(ws: string) {
  return useChange(
    ({ id, overlap }: { id: string; overlap: string }) =>
      api.POST('/platform/workspaces/{ws}/api-keys/{id}/rotate', {
        params: { path: { ws, id } },
        body: { overlap },
      }),
    keysOf(ws),
  );
}

export function useRevokeKey(ws: string) {
  return useChange(
    (id: string) => api.DELETE('/platform/workspaces/{ws}/api-keys/{id}', { params: { path: { ws, id } } }),
    keysOf(ws),
  );
}
