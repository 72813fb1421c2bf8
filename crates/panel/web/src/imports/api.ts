import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, inWorkspace, value } from '../api/client';
import type { components } from '../api/schema';
import { useKeyOf } from '../broadcasts/use-key';
import { isOver } from '../components/work';
import { refreshLists } from '../contacts/api';
import { useIsLive } from '../live/use-stream';
import { isAbout, useTold } from '../live/use-told';

export type Import = components['schemas']['Import'];
export type OnExisting = components['schemas']['OnExisting'];

/** How often one asks how far an import is: where the stream tells, and where it does not. */
const SELDOM = 3_000;
const OFTEN = 1_000;

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

/** One import, as far as it is; asked for until it is over. */
export function useImport(ws: string, id: string) {
  const client = useQueryClient();
  const isLive = useIsLive(ws);
  const found = useQuery({
    queryKey: [...importsOf(ws), id],
    queryFn: ({ signal }) =>
      value(
        api.GET('/api/v1/contacts/imports/{id}', {
          params: { path: { id } },
          headers: inWorkspace(ws),
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : isLive ? SELDOM : OFTEN),
  });
  const goesOn = found.data !== undefined && !isOver(found.data);
  useTold(ws, (told) => isAbout(told, 'import'), importsOf(ws), goesOn);
  useEffect(() => {
    if (!goesOn) return;
    return () => {
      // It is over, or nobody looks at it any more: what it did is shown everywhere.
      refreshLists(client, ws);
      void client.invalidateQueries({ queryKey: ['tags', ws] });
    };
  }, [goesOn, client, ws]);
  return found;
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
