import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { apiIn, value } from '../api/client';
import type { components } from '../api/schema';

export type Job = components['schemas']['Job'];

const deadOf = (ws: string) => ['dead-jobs', ws];

/** The work that was put aside, the last first. */
export function useDeadJobs(ws: string) {
  return useInfiniteQuery({
    queryKey: deadOf(ws),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      value(
        apiIn(ws).GET('/api/v1/jobs', {
          params: { query: { status: 'dead', limit: 50, cursor, include: 'total' } },
          signal,
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : 15_000),
  });
}

/** Has work done again, under an id of its own. */
export function useRetryJob(ws: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      value(apiIn(ws).POST('/api/v1/jobs/{id}/retry', { params: { path: { id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: deadOf(ws) }),
  });
}

/** Lets work go: it is never done. */
export function useDropJob(ws: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => value(apiIn(ws).DELETE('/api/v1/jobs/{id}', { params: { path: { id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: deadOf(ws) }),
  });
}
