import { useInfiniteQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { listIn } from '../api/lists';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';

export type Job = components['schemas']['Job'];

const deadOf = (ws: string) => ['dead-jobs', ws];

/** The dead letters, newest first. */
export function useDeadJobs(ws: string) {
  return useInfiniteQuery({
    ...listIn(ws, deadOf(ws), '/api/v1/jobs', { query: { status: 'dead', limit: 50, include: 'total' } }),
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : 15_000),
  });
}

/** Retries a dead letter as a new job with its own ID. */
export function useRetryJob(ws: string) {
  return useChange(
    (id: string) => apiIn(ws).POST('/api/v1/jobs/{id}/retry', { params: { path: { id } } }),
    deadOf(ws),
  );
}

/** Discards a dead letter. */
export function useDropJob(ws: string) {
  return useChange(
    (id: string) => apiIn(ws).DELETE('/api/v1/jobs/{id}', { params: { path: { id } } }),
    deadOf(ws),
  );
}
