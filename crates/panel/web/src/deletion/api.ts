import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../api/client';
import { session } from '../app/session';
import { keepWorkspace, readWorkspace } from '../settings/api';
import type { RestoredOutbound } from './views';

/** Counts the objects that a deletion would delete. Nothing is deleted. */
export function useDeletionPreview(ws: string, name: string) {
  return useQuery({
    queryKey: ['deletion-preview', ws, name],
    queryFn: ({ signal }) =>
      api.DELETE('/platform/workspaces/{ws}', {
        params: { path: { ws }, query: { dry_run: true } },
        body: { name },
        signal,
      }),
    // Each dialog counts again, and the numbers do not change while the user types the name.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Deletes a workspace with its sandbox. The account then contains the deletion, so the panel shows its page. */
export function useDeleteWorkspace(ws: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => {
      await api.DELETE('/platform/workspaces/{ws}', {
        params: { path: { ws }, query: { dry_run: false } },
        body: { name },
      });
      // If this fails, the next request of the page reports the deletion.
      await session.reload().catch(() => undefined);
    },
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Restores a deleted workspace with its sandbox. */
export function useRestoreWorkspace(ws: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (outbound: RestoredOutbound) => {
      await api.POST('/platform/workspaces/{ws}/restore', { params: { path: { ws } }, body: { outbound } });
      await client.invalidateQueries();
      await session.reload();
    },
  });
}

/** Reads the workspace again, for example after another user changed its name. */
export function useRefreshWorkspace(ws: string): () => Promise<void> {
  const client = useQueryClient();
  return () =>
    readWorkspace(ws).then(
      (read) => keepWorkspace(client, read),
      () => undefined,
    );
}

interface Callbacks {
  onError?: (error: Error) => void;
}

/** Starts a mutation once at a time, also if two clicks arrive before the next render. */
export function useOnce<T>({ mutate }: UseMutationResult<unknown, Error, T>, { onError }: Callbacks = {}) {
  const running = useRef(false);
  return (variables: T) => {
    if (running.current) return;
    running.current = true;
    mutate(variables, {
      onError: (error) => {
        running.current = false;
        onError?.(error);
      },
    });
  };
}
