import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { listIn } from '../api/lists';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';
import { ofVersion, versioned } from '../api/versioned';
import type { Told } from '../live/blocks';
import { isAbout, useTold } from '../live/use-told';
import { type Broadcast, type BroadcastStatus, type Draft, isMoving } from './draft';

export type Preview = components['schemas']['BroadcastPreview'];

/** The refresh interval for a broadcast that is scheduled or sending, in milliseconds. */
const OFTEN = 2_000;
const listOf = keys.broadcasts;
const oneOf = (ws: string, id: string) => ['broadcast', ws, id];

const isOfBroadcasts = (told: Told) => isAbout(told, 'broadcast');

/** A broadcast with the `ETag` of its version. */
export interface Versioned {
  broadcast: Broadcast;
  etag: string;
}

/** Lists broadcasts by words in the name and by status, newest first. */
export function useBroadcasts(ws: string, { q, status }: { q?: string; status?: BroadcastStatus }) {
  useTold(ws, isOfBroadcasts, listOf(ws));
  return useInfiniteQuery({
    ...listIn(ws, [...listOf(ws), { q, status }], '/api/v1/broadcasts', {
      query: { q, status, include: 'total', limit: 50 },
    }),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.data.some((it) => isMoving(it.status))) ? OFTEN * 2 : false,
  });
}

export function readBroadcast(ws: string, id: string, signal?: AbortSignal): Promise<Versioned> {
  const params = { path: { id } };
  return versioned('broadcast', apiIn(ws).raw.GET('/api/v1/broadcasts/{id}', { params, signal }));
}

export function useBroadcast(ws: string, id: string) {
  const asked = useQuery({
    queryKey: oneOf(ws, id),
    queryFn: ({ signal }) => readBroadcast(ws, id, signal),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data.broadcast.status) ? OFTEN : false),
  });
  // Do not refresh a draft while a user edits it: changes by other users are reported when the draft is
  // saved.
  const isSent = asked.data !== undefined && asked.data.broadcast.status !== 'draft';
  useTold(ws, isOfBroadcasts, oneOf(ws, id), isSent);
  return asked;
}

/** Caches the broadcast from a response and refreshes the lists. */
function useKeep(ws: string) {
  const client = useQueryClient();
  return (now: Versioned) => {
    client.setQueryData(oneOf(ws, now.broadcast.id), now);
    void client.invalidateQueries({ queryKey: listOf(ws) });
  };
}

/** A draft to create: a copy, or the values of the form. */
type NewDraft = Pick<Draft, 'name' | 'audience' | 'message'> & Partial<Draft>;

export function useCreateBroadcast(ws: string) {
  const keep = useKeep(ws);
  return useMutation({
    mutationFn: ({ body, key }: { body: NewDraft; key: string }) =>
      versioned(
        'broadcast',
        apiIn(ws).raw.POST('/api/v1/broadcasts', {
          params: { header: { 'Idempotency-Key': key } },
          body: body as unknown as components['schemas']['CreateBroadcast'],
        }),
      ),
    onSuccess: keep,
  });
}

/** Creates a draft for the recipients of an ended broadcast who did not get its message. */
export function useRepeat(ws: string, id: string) {
  const keep = useKeep(ws);
  return useMutation({
    mutationFn: ({ key }: { key: string }) =>
      versioned(
        'broadcast',
        apiIn(ws).raw.POST('/api/v1/broadcasts/{id}/repeat', {
          params: { path: { id }, header: { 'Idempotency-Key': key } },
        }),
      ),
    onSuccess: keep,
  });
}

/** Saves the changes of a draft. Fails if another user changed it since. */
export function useSaveBroadcast(ws: string, id: string) {
  const keep = useKeep(ws);
  return async (changed: Partial<Draft>, etag: string): Promise<void> => {
    const asked = apiIn(ws).raw.PATCH('/api/v1/broadcasts/{id}', {
      params: ofVersion(id, etag),
      body: changed as unknown as components['schemas']['UpdateBroadcast'],
    });
    keep(await versioned('broadcast', asked));
  };
}

/** A preview. The server counts all contacts for it, so changes of the name or the time use the same preview. */
export function usePreview(ws: string, { id, audience, channel_id, message }: Broadcast) {
  return useQuery({
    queryKey: ['broadcast-preview', ws, id, audience, channel_id, message],
    queryFn: ({ signal }) =>
      apiIn(ws).POST('/api/v1/broadcasts/{id}/preview', { params: { path: { id } }, signal }),
    staleTime: 30_000,
    placeholderData: (before) => before,
  });
}

export function useSend(ws: string, id: string) {
  const keep = useKeep(ws);
  return useMutation({
    mutationFn: ({ expected, etag, key }: { expected: number; etag: string; key: string }) =>
      versioned(
        'broadcast',
        apiIn(ws).raw.POST('/api/v1/broadcasts/{id}/send', {
          params: { path: { id }, header: { 'If-Match': etag, 'Idempotency-Key': key } },
          body: { expected_count: expected },
        }),
      ),
    onSuccess: keep,
  });
}

export function useTest(ws: string, id: string) {
  return useMutation({
    mutationFn: ({ contacts, key }: { contacts: string[]; key: string }) =>
      apiIn(ws).POST('/api/v1/broadcasts/{id}/test', {
        params: { path: { id }, header: { 'Idempotency-Key': key } },
        body: { contact_ids: contacts },
      }),
  });
}

export type Turn = 'pause' | 'resume' | 'cancel';

/** Pauses, resumes or cancels a broadcast. */
export function useTurn(ws: string, id: string) {
  const keep = useKeep(ws);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (turn: Turn) => {
      const options = { params: { path: { id } } };
      if (turn === 'pause')
        return versioned('broadcast', apiIn(ws).raw.POST('/api/v1/broadcasts/{id}/pause', options));
      if (turn === 'resume')
        return versioned('broadcast', apiIn(ws).raw.POST('/api/v1/broadcasts/{id}/resume', options));
      return versioned('broadcast', apiIn(ws).raw.POST('/api/v1/broadcasts/{id}/cancel', options));
    },
    onSuccess: keep,
    onError: () => void client.invalidateQueries({ queryKey: oneOf(ws, id) }),
  });
}

export function useDeleteBroadcast(ws: string, id: string) {
  return useChange(
    () => apiIn(ws).DELETE('/api/v1/broadcasts/{id}', { params: { path: { id } } }),
    listOf(ws),
  );
}
