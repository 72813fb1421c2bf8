import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, inWorkspace, value } from '../api/client';
import type { components } from '../api/schema';
import { useKeyOf } from '../broadcasts/use-key';
import { useWork } from '../components/use-work';

export type Import = components['schemas']['Import'];
export type OnExisting = components['schemas']['OnExisting'];

const importsOf = (ws: string) => ['imports', ws];

/** The imports of the last thirty days, newest first. */
export function useImports(ws: string) {
  return useInfiniteQuery({
    queryKey: [...importsOf(ws), 'list'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      value(
        api.GET('/api/v1/contacts/imports', {
          params: { query: { limit: 20, cursor: pageParam } },
          headers: inWorkspace(ws),
          signal,
        }),
      ),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
}

/** One import, as far as it is. */
export function useImport(ws: string, id: string) {
  return useWork<Import>(ws, id, {
    all: importsOf(ws),
    type: 'import',
    read: (id, signal) =>
      value(
        api.GET('/api/v1/contacts/imports/{id}', {
          params: { path: { id } },
          headers: inWorkspace(ws),
          signal,
        }),
      ),
  });
}

export interface NewImport {
  table: string;
  columns: string[];
  existing: OnExisting;
}

/** Begins an import. The same table asked for again is taken in once. */
export function useStartImport(ws: string) {
  const client = useQueryClient();
  const keyOf = useKeyOf();
  return useMutation({
    mutationFn: ({ table, columns, existing }: NewImport) =>
      value(
        api.POST('/api/v1/contacts/import', {
          params: {
            query: { column: columns, existing },
            header: { 'Idempotency-Key': keyOf({ table, columns, existing }) },
          },
          headers: { ...inWorkspace(ws), 'Content-Type': 'text/csv' },
          body: table,
          bodySerializer: (text) => text,
        }),
      ),
    onSuccess: (made) => {
      client.setQueryData([...importsOf(ws), made.id], made);
      void client.invalidateQueries({ queryKey: [...importsOf(ws), 'list'] });
    },
  });
}

/** Ends an import: what was done stays. */
export function useCancelImport(ws: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      value(
        api.POST('/api/v1/contacts/imports/{id}/cancel', {
          params: { path: { id } },
          headers: inWorkspace(ws),
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: importsOf(ws) }),
  });
}

/** The rows that were rejected, as a table. */
export async function rejectedOf(ws: string, id: string): Promise<Blob> {
  const table = await value(
    api.GET('/api/v1/contacts/imports/{id}/rejected', {
      params: { path: { id } },
      headers: inWorkspace(ws),
      parseAs: 'blob',
    }),
  );
  return table as unknown as Blob;
}
