import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { listIn } from '../api/lists';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';
import { ofVersion, versioned } from '../api/versioned';

export type SavedReply = components['schemas']['SavedReply'];
export type ReplyDraft = Pick<SavedReply, 'name' | 'text'>;

const listOf = keys.savedReplies;

export function useReplies(ws: string) {
  return useInfiniteQuery(listIn(ws, [...listOf(ws), 'pages'], '/api/v1/saved-replies'));
}

/** Reads the current version of a saved reply for the form. */
export async function readReply(ws: string, id: string) {
  const asked = apiIn(ws).raw.GET('/api/v1/saved-replies/{id}', { params: { path: { id } } });
  const { reply, etag } = await versioned('reply', asked);
  return { draft: { name: reply.name, text: reply.text }, etag };
}

export function useReply(ws: string, id: string) {
  return useQuery({
    queryKey: [...listOf(ws), 'one', id],
    queryFn: () => readReply(ws, id),
    // A form is open, so only saving changes it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

function useRefresh(ws: string) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: listOf(ws) });
}

export function useCreateReply(ws: string) {
  return useChange((body: ReplyDraft) => apiIn(ws).POST('/api/v1/saved-replies', { body }), listOf(ws));
}

/** Saves the changes. Fails if another user changed the reply since. */
export function useSaveReply(ws: string, id: string) {
  const refresh = useRefresh(ws);
  return async (body: Partial<ReplyDraft>, etag: string) => {
    await apiIn(ws).PATCH('/api/v1/saved-replies/{id}', { params: ofVersion(id, etag), body });
    await refresh();
  };
}

export function useDeleteReply(ws: string) {
  return useChange(
    (id: string) => apiIn(ws).DELETE('/api/v1/saved-replies/{id}', { params: { path: { id } } }),
    listOf(ws),
  );
}

/** Renders a text for a contact. */
export function useRendered(ws: string, template: string, contact: string) {
  return useQuery({
    queryKey: ['rendered', ws, template, contact],
    enabled: template !== '',
    queryFn: async ({ signal }) => {
      const body = { template, contact_id: contact || undefined, vars: {} };
      const asked = apiIn(ws).POST('/api/v1/templates/render', { body, signal });
      return await asked;
    },
    placeholderData: (before) => before,
    retry: false,
  });
}
