import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { listIn } from '../api/lists';
import type { components } from '../api/schema';
import { versioned } from '../api/versioned';
import { flowOf } from './api';

export type FlowVersion = components['schemas']['FlowVersion'];

/** The published versions of a flow, newest first. */
export function useVersions(ws: string, id: string, published: number | null) {
  return useInfiniteQuery(
    listIn(ws, [...keys.flowVersions(ws), id, published], '/api/v1/flows/{id}/versions', {
      query: { limit: 25 },
      path: { id },
    }),
  );
}

/** Restores an earlier version as the draft. Fails if another user changed the flow since. */
export function useRestore(ws: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ number, etag }: { number: number; etag: string }) =>
      versioned(
        'flow',
        apiIn(ws).raw.POST('/api/v1/flows/{id}/versions/{number}/restore', {
          params: { path: { id, number }, header: { 'If-Match': etag } },
        }),
      ),
    onSuccess: (restored) => client.setQueryData(flowOf(ws, id), restored),
    onError: () => client.invalidateQueries({ queryKey: flowOf(ws, id) }),
  });
}
