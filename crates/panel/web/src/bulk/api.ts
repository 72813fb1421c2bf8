import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { listIn } from '../api/lists';
import { Problem } from '../api/problem';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';
import { useKeyOf } from '../broadcasts/use-key';
import { useWork } from '../components/use-work';
import type { Audience } from './audience';

export type BulkOperation = components['schemas']['BulkOperation'];
export type BulkAction = components['schemas']['ActionBody'];
export type BulkPreview = components['schemas']['BulkPreview'];

/** The key prefix of all queries about operations. */
export const operationsOf = (ws: string) => ['bulk', ws];

/** The bulk operations of the last 30 days, newest first. */
export function useOperations(ws: string) {
  return useInfiniteQuery(
    listIn(ws, [...operationsOf(ws), 'list'], '/api/v1/contacts/bulk', { query: { limit: 20 } }),
  );
}

export function useOperation(ws: string, id: string) {
  return useWork<BulkOperation>(ws, id, {
    all: operationsOf(ws),
    type: 'bulk_operation',
    read: (id, signal) => readOperation(ws, id, signal),
  });
}

export function readOperation(ws: string, id: string, signal?: AbortSignal): Promise<BulkOperation> {
  return apiIn(ws).GET('/api/v1/contacts/bulk/{id}', { params: { path: { id } }, signal });
}

export interface Wanted {
  filter: Audience;
  action: BulkAction;
}

/** Starts an operation. With `expected_count` it only starts if the filter matches that many contacts. */
export function post(
  ws: string,
  body: Wanted & { expected_count?: number },
  key?: string,
): Promise<BulkOperation> {
  return apiIn(ws).POST('/api/v1/contacts/bulk', {
    params: { header: key ? { 'Idempotency-Key': key } : {} },
    body,
  });
}

/** Counts the contacts of a filter and previews the action for some of them. Changes nothing. */
export function preview(
  ws: string,
  body: { filter: Audience; action?: BulkAction },
  signal?: AbortSignal,
): Promise<BulkPreview> {
  return apiIn(ws).POST('/api/v1/contacts/bulk/preview', { body, signal });
}

export function usePreview(ws: string) {
  return useMutation({ mutationFn: (wanted: Wanted) => preview(ws, wanted) });
}

/**
 * Starts an operation for the confirmed number of contacts. A retry of the same request does not start a
 * second one.
 */
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

/** The current number of contacts if the request failed because the number changed. */
export function countOf(error: unknown): number | undefined {
  const isThat = error instanceof Problem && error.code === 'audience_changed';
  return isThat && typeof error.more.count === 'number' ? error.more.count : undefined;
}

/** Cancels an operation. The changes made so far remain. */
export function cancelOperation(ws: string, id: string): Promise<BulkOperation> {
  return apiIn(ws).POST('/api/v1/contacts/bulk/{id}/cancel', { params: { path: { id } } });
}

export function useCancel(ws: string, id: string) {
  return useChange(() => cancelOperation(ws, id), operationsOf(ws));
}
