import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { listIn } from '../api/lists';
import { Problem } from '../api/problem';
import { useChange } from '../api/use-change';
import { useKeyOf } from '../broadcasts/use-key';
import { useWork } from '../components/use-work';
import type { Import, ImportCheck, OnError, OnExisting, Parameter } from './check';
import type { Source } from './source';

const importsOf = (ws: string) => ['imports', ws];

/** The imports of the last 30 days, newest first. */
export function useImports(ws: string) {
  return useInfiniteQuery(
    listIn(ws, [...importsOf(ws), 'list'], '/api/v1/contacts/imports', { query: { limit: 20 } }),
  );
}

/** An import with its progress. */
export function useImport(ws: string, id: string) {
  return useWork<Import>(ws, id, {
    all: importsOf(ws),
    type: 'import',
    read: (id, signal) =>
      apiIn(ws).GET('/api/v1/contacts/imports/{id}', { params: { path: { id } }, signal }),
  });
}

/** Sends the bytes of a table. */
function send(ws: string, source: Source, query: Record<string, unknown>, more: object = {}) {
  const { header, signal } = more as { header?: Record<string, string>; signal?: AbortSignal };
  return apiIn(ws).POST('/api/v1/contacts/import', {
    params: { query: query as never, header },
    headers: { 'Content-Type': 'text/csv' },
    body: source.bytes as unknown as string,
    bodySerializer: (bytes) => bytes,
    signal,
  });
}

/** Checks a table. Nothing is stored. A check of the same file stays until the next one arrives. */
export function useCheck(ws: string, source: Source | undefined, parameters: Parameter[] | undefined) {
  return useQuery({
    queryKey: ['import-check', ws, source?.id, parameters],
    enabled: source !== undefined && parameters !== undefined,
    queryFn: async ({ signal }) =>
      (await send(
        ws,
        source as Source,
        { check: true, ...queryOf(parameters ?? []) },
        { signal },
      )) as unknown,
    select: (data) => data as ImportCheck,
    placeholderData: (before, query) => (query?.queryKey[2] === source?.id ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
    // The server runs one check of a workspace at a time. An aborted check may still be running.
    retry: (count, error) => isBusy(error) && count < 5,
    retryDelay: (_, error) => (isBusy(error) ? (error.retryAfter ?? 1) * 1000 : 0),
  });
}

function isBusy(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'search_limit';
}

export interface NewImport {
  source: Source;
  /** As the check reports them. */
  parameters: Parameter[];
  existing: OnExisting;
  onError: OnError;
}

/** Starts an import. Repeating the request with the same table and parameters does not start another one. */
export function useStartImport(ws: string) {
  const client = useQueryClient();
  const keyOf = useKeyOf();
  return useMutation({
    mutationFn: ({ source, parameters, existing, onError }: NewImport) => {
      const query = { ...queryOf(parameters), existing, on_error: onError };
      const header = { 'Idempotency-Key': keyOf({ id: source.id, query }) };
      return send(ws, source, query, { header }) as Promise<Import>;
    },
    onSuccess: (made) => {
      client.setQueryData([...importsOf(ws), made.id], made);
      void client.invalidateQueries({ queryKey: [...importsOf(ws), 'list'] });
    },
  });
}

/** Parameters as the query of a request: `column` and `format` are repeated, the others occur once. */
function queryOf(parameters: Parameter[]): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const { name, value } of parameters) {
    if (name !== 'column' && name !== 'format') query[name] = value;
    else query[name] = [...(query[name] ?? []), value];
  }
  return query;
}

/** Cancels an import. Imported rows stay. */
export function useCancelImport(ws: string, id: string) {
  return useChange(
    () => apiIn(ws).POST('/api/v1/contacts/imports/{id}/cancel', { params: { path: { id } } }),
    importsOf(ws),
  );
}

/** The table of rejected rows and skipped cells. The byte order mark makes Excel read it as UTF-8. */
export async function rejectedOf(ws: string, id: string): Promise<Blob> {
  const table = await apiIn(ws).GET('/api/v1/contacts/imports/{id}/rejected', {
    params: { path: { id } },
    parseAs: 'arrayBuffer',
  });
  return new Blob(['\uFEFF', table as unknown as ArrayBuffer], { type: 'text/csv' });
}

/** The most bytes of a table of rejected rows that the page reads. */
export const READ_BYTES = 200_000;

/** The beginning of the table of rejected rows. */
export function useRejected(ws: string, id: string) {
  return useQuery({
    queryKey: ['import-rejected', ws, id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const body = await apiIn(ws).GET('/api/v1/contacts/imports/{id}/rejected', {
        params: { path: { id } },
        parseAs: 'stream',
        signal,
      });
      return beginning(body as unknown as ReadableStream<Uint8Array> | null);
    },
  });
}

async function beginning(body: ReadableStream<Uint8Array> | null) {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  while (reader && bytes < READ_BYTES) {
    const { done, value: piece } = await reader.read();
    if (done) return { text, isWhole: true };
    text += decoder.decode(piece, { stream: true });
    bytes += piece.byteLength;
  }
  await reader?.cancel();
  return { text, isWhole: false };
}
