import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiIn, value } from '../api/client';
import { keys } from '../api/keys';
import { pages } from '../api/pages';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';
import { versioned } from '../api/versioned';

export type Flow = components['schemas']['ShownFlow'];
export type FlowSummary = components['schemas']['FlowSummary'];
export type FlowStatus = components['schemas']['FlowStatus'];
export type UpdateFlow = components['schemas']['UpdateFlow'];
export type Running = components['schemas']['Running'];
export type Finding = components['schemas']['Finding'];

/** A flow in the version that one saw. */
export interface Versioned {
  flow: Flow;
  etag: string;
}

export const flowsOf = (ws: string) => ['flows', ws];
export const flowOf = (ws: string, id: string) => ['flow', ws, id];

/** Reads a flow as it is now. */
export function readFlow(ws: string, id: string, signal?: AbortSignal): Promise<Versioned> {
  return versioned('flow', apiIn(ws).GET('/api/v1/flows/{id}', { params: { path: { id } }, signal }));
}

/** The flows of a workspace by words of their names and by their state, newest first. */
export function useFlows(ws: string, { q, status }: { q?: string; status?: FlowStatus }) {
  return useInfiniteQuery({
    ...pages([...flowsOf(ws), { q, status }], (cursor, signal) =>
      value(
        apiIn(ws).GET('/api/v1/flows', {
          params: { query: { q, status, limit: 100, cursor, include: cursor ? undefined : 'total' } },
          signal,
        }),
      ),
    ),
    placeholderData: keepPreviousData,
  });
}

/** So many flows that misuse secrets are named. */
const MOST_MISUSES = 3;

/** Flows whose published version uses a secret in an expression, so that its calls fail, and how many there are in all. */
export function useSecretMisuses(ws: string) {
  return useQuery({
    queryKey: [...flowsOf(ws), 'secret_not_bare'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const page = await value(
        apiIn(ws).GET('/api/v1/flows', {
          params: { query: { finding: 'secret_not_bare', limit: MOST_MISUSES, include: 'total' } },
          signal,
        }),
      );
      return { named: page.data, total: page.total ?? page.data.length };
    },
  });
}

/** One flow with its draft and figures. */
export function useFlow(ws: string, id: string) {
  return useQuery({
    queryKey: flowOf(ws, id),
    queryFn: ({ signal }) => readFlow(ws, id, signal),
  });
}

export function useCreateFlow(ws: string) {
  return useChange(
    (body: { name: string; definition?: object }) =>
      value(apiIn(ws).POST('/api/v1/flows', { body: body as never })),
    flowsOf(ws),
  );
}

/** Saves what was changed, if nobody else changed the flow meanwhile. */
export function useSaveFlow(ws: string, id: string) {
  const kept = useKept(ws, id);
  return useMutation({
    mutationFn: ({ body, etag }: { body: UpdateFlow; etag: string }) =>
      versioned(
        'flow',
        apiIn(ws).PATCH('/api/v1/flows/{id}', {
          params: { path: { id }, header: { 'If-Match': etag } },
          body,
        }),
      ),
    onSuccess: kept,
  });
}

/** Makes the draft the next version. The answer has what the analyser found. */
export function usePublish(ws: string, id: string) {
  const client = useQueryClient();
  const kept = useKept(ws, id);
  return useMutation({
    mutationFn: async ({ running, etag }: { running: Running; etag: string }) => {
      const asked = apiIn(ws).POST('/api/v1/flows/{id}/publish', {
        params: { path: { id }, header: { 'If-Match': etag } },
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

/** Holds a flow, or lets it go on. */
export function useHold(ws: string, id: string) {
  const kept = useKept(ws, id);
  return useMutation({
    mutationFn: (verb: 'pause' | 'resume') => {
      const call = { params: { path: { id } } };
      return versioned(
        'flow',
        verb === 'pause'
          ? apiIn(ws).POST('/api/v1/flows/{id}/pause', call)
          : apiIn(ws).POST('/api/v1/flows/{id}/resume', call),
      );
    },
    onSuccess: kept,
  });
}

export function useDeleteFlow(ws: string, id: string) {
  return useChange(
    (force: boolean) =>
      value(apiIn(ws).DELETE('/api/v1/flows/{id}', { params: { path: { id }, query: { force } } })),
    flowsOf(ws),
  );
}

/** Notes a flow as the service told it. */
function useKept(ws: string, id: string) {
  const client = useQueryClient();
  return (it: Versioned) => {
    client.setQueryData(flowOf(ws, id), it);
    void client.invalidateQueries({ queryKey: flowsOf(ws) });
  };
}
