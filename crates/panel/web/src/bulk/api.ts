import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { apiIn, value } from '../api/client';
import { pages } from '../api/pages';
import { Problem } from '../api/problem';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';
import { useKeyOf } from '../broadcasts/use-key';
import { useWork } from '../components/use-work';
import type { Audience } from './audience';

export type BulkOperation = components['schemas']['BulkOperation'];
export type BulkAction = components['schemas']['ActionBody'];
export type BulkPreview = components['schemas']['BulkPreview'];

/** The key of all that is asked of operations. */
export const operationsOf = (ws: string) => ['bulk', ws];

/** What was done to many in the last thirty days, newest first. */
export function useOperations(ws: string) {
  return useInfiniteQuery(
    pages([...operationsOf(ws), 'list'], (cursor, signal) =>
      value(apiIn(ws).GET('/api/v1/contacts/bulk', { params: { query: { limit: 20, cursor } }, signal })),
    ),
  );
}

/** One operation, as far as it is. */
export function useOperation(ws: string, id: string) {
  return useWork<BulkOperation>(ws, id, {
    all: operationsOf(ws),
    type: 'bulk_operation',
    read: (id, signal) => readOperation(ws, id, signal),
  });
}

/** Reads an operation as it is now. */
export function readOperation(ws: string, id: string, signal?: AbortSignal): Promise<BulkOperation> {
  return value(apiIn(ws).GET('/api/v1/contacts/bulk/{id}', { params: { path: { id } }, signal }));
}

export interface Wanted {
  filter: Audience;
  action: BulkAction;
}

/** Begins an operation; on as many as are expected, where a number is said. */
export function post(
  ws: string,
  body: Wanted & { expected_count?: number },
  key?: string,
): Promise<BulkOperation> {
  return value(
    apiIn(ws).POST('/api/v1/contacts/bulk', {
      params: { header: key ? { 'Idempotency-Key': key } : {} },
      body,
    }),
  );
}

/** How many contacts a filter has, and what an action would do to some of them. Nothing is done. */
export function preview(
  ws: string,
  body: { filter: Audience; action?: BulkAction },
  signal?: AbortSignal,
): Promise<BulkPreview> {
  return value(apiIn(ws).POST('/api/v1/contacts/bulk/preview', { body, signal }));
}

export function usePreview(ws: string) {
  return useMutation({ mutationFn: (wanted: Wanted) => preview(ws, wanted) });
}

/** Begins an operation on as many as one saw. The same asked for again is done once. */
export function useStart(ws: string) {
  const client = useQueryClient();
  const keyOf = useKeyOf();
  return useMutation({
    mutationFn: (body: Wanted & { expected_count: number }) => post(ws, body, keyOf(body)),
    onSuccess: (made) => {
      client.setQueryData([...operationsOf(ws), made.id], made);
      void client.invalidateQueries({ queryKey: [...operationsOf(ws), 'list'] });
    },
  });
}

/** How many there are now, where the service says that they are others than one expected. */
export function countOf(error: unknown): number | undefined {
  const isThat = error instanceof Problem && error.code === 'audience_changed';
  return isThat && typeof error.more.count === 'number' ? error.more.count : undefined;
}

/** Ends an operation: what was done stays. */
export function cancelOperation(ws: string, id: string): Promise<BulkOperation> {
  return value(apiIn(ws).POST('/api/v1/contacts/bulk/{id}/cancel', { params: { path: { id } } }));
}

export function useCancel(ws: string, id: string) {
  return useChange(() => cancelOperation(ws, id), operationsOf(ws));
}
