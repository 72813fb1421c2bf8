import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { listIn } from '../api/lists';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';
import { ofVersion, versioned } from '../api/versioned';

export type Flow = components['schemas']['ShownFlow'];
export type FlowSummary = components['schemas']['FlowSummary'];
export type FlowStatus = components['schemas']['FlowStatus'];
export type UpdateFlow = components['schemas']['UpdateFlow'];
export type Running = components['schemas']['Running'];
export type Finding = components['schemas']['Finding'];

/** A flow with the `ETag` of its version. */
export interface Versioned {
  flow: Flow;
  etag: string;
}

const flowsOf = keys.flows;
export const flowOf = (ws: string, id: string) => ['flow', ws, id];

export function readFlow(ws: string, id: string, signal?: AbortSignal): Promise<Versioned> {
  return versioned('flow', apiIn(ws).raw.GET('/api/v1/flows/{id}', { params: { path: { id } }, signal }));
}

/** Lists flows by words in the name and by status, newest first. */
export function useFlows(ws: string, { q, status }: { q?: string; status?: FlowStatus }) {
  return useInfiniteQuery({
    ...listIn(ws, [...flowsOf(ws), { q, status }], '/api/v1/flows', {
      query: { q, status, include: 'total' },
    }),
    placeholderData: keepPreviousData,
  });
}

/** The most misusing flows that are named. */
const MOST_MISUSES = 3;

/**
 * The flows with a published version that uses a secret inside of an expression. Their requests fail. Also
 * returns the total number of such flows.
 */
export function useSecretMisuses(ws: string) {
  return useQuery({
    queryKey: [...flowsOf(ws), 'secret_not_bare'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const page = await apiIn(ws).GET('/api/v1/flows', {
        params: { query: { finding: 'secret_not_bare', limit: MOST_MISUSES, include: 'total' } },
        signal,
      });
      return { named: page.data, total: page.total ?? page.data.length };
    },
  });
}

export function useFlow(ws: string, id: string) {
  return useQuery({
    queryKey: flowOf(ws, id),
    queryFn: ({ signal }) => readFlow(ws, id, signal),
  });
}

export function useCreateFlow(ws: string) {
  return useChange(
    (body: { name: string; definition?: object }) => apiIn(ws).POST('/api/v1/flows', { body: body as never }),
    flowsOf(ws),
  );
}

/** Saves the changes of a flow. Fails if another user changed it since. */
export function useSaveFlow(ws: string, id: string) {
  const kept = useKept(ws, id);
  return useMutation({
    mutationFn: ({ body, etag }: { body: UpdateFlow; etag: string }) =>
      versioned('flow', apiIn(ws).raw.PATCH('/api/v1/flows/{id}', { params: ofVersion(id, etag), body })),
    onSuccess: kept,
  });
}

/** Publishes the draft as the next version. The response contains the findings of the analyser. */
export function usePublish(ws: string, id: string) {
  const client = useQueryClient();
  const kept = useKept(ws, id);
  return useMutation({
    mutationFn: async ({ running, etag }: { running: Running; etag: string }) => {
      const asked = apiIn(ws).raw.POST('/api/v1/flows/{id}/publish', {
        params: ofVersion(id, etag),
        body: { running },
      });
      const { published, etag: now } = await versioned('published', asked);
      const { findings, ...flow } = published;
      return { flow, findings, etag: now };
    },
    onSuccess: ({ flow, etag }) => {
      kept({ flow, etag });
      void client.invalidateQueries({ queryKey: [...keys.flowVersions(ws), id] });
    },
  });
}

/** Pauses or resumes a flow. */
export function useHold(ws: string, id: string) {
  const kept = useKept(ws, id);
  return useMutation({
    mutationFn: (verb: 'pause' | 'resume') => {
      const call = { params: { path: { id } } };
      return versioned(
        'flow',
        verb === 'pause'
          ? apiIn(ws).raw.POST('/api/v1/flows/{id}/pause', call)
          : apiIn(ws).raw.POST('/api/v1/flows/{id}/resume', call),
      );
    },
    onSuccess: kept,
  });
}

export function useDeleteFlow(ws: string, id: string) {
  return useChange(
    (force: boolean) =>
      apiIn(ws).DELETE('/api/v1/flows/{id}', { params: { path: { id }, query: { force } } }),
    flowsOf(ws),
  );
}

/** Returns a function that caches a flow from a response and refreshes the lists. */
function useKept(ws: string, id: string) {
  const client = useQueryClient();
  return (it: Versioned) => {
    client.setQueryData(flowOf(ws, id), it);
    void client.invalidateQueries({ queryKey: flowsOf(ws) });
  };
}
