import { useInfiniteQuery } from '@tanstack/react-query';
import { apiIn, value } from '../api/client';
import { pages } from '../api/pages';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';

export type Job = components['schemas']['Job'];

const deadOf = (ws: string) => ['dead-jobs', ws];

/** The dead letters, newest first. */
export function useDeadJobs(ws: string) {
  return useInfiniteQuery({
    ...pages(deadOf(ws), (cursor, signal) =>
      value(
        apiIn(ws).GET('/api/v1/jobs', {
          params: { query: { status: 'dead', limit: 50, cursor, include: 'total' } },
          signal,
        }),
      ),
    ),
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : 15_000),
  });
}

/** Retries a dead letter as a new job with its own ID. */
export function useRetryJob(ws: string) {
  return useChange(
    (id: string) => value(apiIn(ws).POST('/api/v1/jobs/{id}/retry', { params: { path: { id } } })),
    deadOf(ws),
  );
}

/** Discards a dead letter. */
export function useDropJob(ws: string) {
  return useChange(
    (id: string) => value(apiIn(ws).DELETE('/api/v1/jobs/{id}', { params: { path: { id } } })),
    deadOf(ws),
  );
}
