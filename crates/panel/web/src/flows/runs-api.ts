import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { listIn } from '../api/lists';
import type { components } from '../api/schema';
import { flowOf } from './api';

export type FlowRun = components['schemas']['FlowRun'];
export type RunStatus = components['schemas']['RunStatus'];

const runsOf = (ws: string, flow: string) => ['flow-runs', ws, flow];
const runOf = (ws: string, id: string) => ['flow-run', ws, id];

/** The refresh interval of runs, in milliseconds. */
const OFTEN = 5_000;

/** The filters of a flow's runs. Without filters, all runs are listed. */
export interface RunFilter {
  status: RunStatus | undefined;
  node: string | undefined;
}

/** Lists the runs of a flow that match the filter, newest first. */
export function useRuns(ws: string, flow: string, { status, node }: RunFilter) {
  return useInfiniteQuery(
    listIn(ws, [...runsOf(ws, flow), status, node], '/api/v1/flow-runs', {
      query: { flow_id: flow, status, node, limit: 50, include: 'total' },
    }),
  );
}

/** A run. It is refreshed until it ends. */
export function useRun(ws: string, id: string | undefined) {
  return useQuery({
    queryKey: runOf(ws, id ?? ''),
    enabled: id !== undefined,
    queryFn: ({ signal }) =>
      apiIn(ws).GET('/api/v1/flow-runs/{id}', { params: { path: { id: id ?? '' } }, signal }),
    refetchInterval: ({ state }) => (state.data && state.data.ended_at === null ? OFTEN : false),
  });
}

export function useCancelRun(ws: string, flow: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiIn(ws).POST('/api/v1/flow-runs/{id}/cancel', { params: { path: { id } } }),
    onSuccess: (run) => {
      client.setQueryData(runOf(ws, run.id), run);
      void client.invalidateQueries({ queryKey: runsOf(ws, flow) });
      void client.invalidateQueries({ queryKey: flowOf(ws, flow) });
    },
  });
}

/** The name of a contact, or `undefined` if it has none. */
export function useContactName(ws: string, id: string | undefined) {
  return useQuery({
    queryKey: ['contact-name', ws, id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const contact = await apiIn(ws).GET('/api/v1/contacts/{id}', {
        params: { path: { id: id ?? '' } },
        signal,
      });
      return contact.name ?? contact.email ?? contact.external_id ?? null;
    },
    staleTime: 300_000,
    retry: false,
  }).data;
}
