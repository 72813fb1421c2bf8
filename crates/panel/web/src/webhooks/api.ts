import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { listIn } from '../api/lists';
import type { components } from '../api/schema';
import { ofVersion, versioned } from '../api/versioned';
import { draftOf, type WebhookDraft } from './draft';

export type Webhook = components['schemas']['Webhook'];
export type CreateWebhook = components['schemas']['CreateWebhook'];
export type TestOutcome = components['schemas']['TestOutcome'];

const listOf = (ws: string) => ['webhooks', ws];
const oneOf = (ws: string, id: string) => ['webhook', ws, id];

/** All webhooks of a workspace. There are at most 20. */
export function useWebhooks(ws: string, enabled: boolean) {
  return useQuery({
    queryKey: listOf(ws),
    enabled,
    queryFn: async ({ signal }) => {
      const query = { limit: 100 };
      const asked = apiIn(ws).GET('/api/v1/webhooks', { params: { query }, signal });
      return (await asked).data;
    },
    refetchInterval: 15_000,
  });
}

/** Webhooks by words in the URL or description, and by status, newest first. */
export function useFoundWebhooks(ws: string, { q, status }: { q?: string; status?: Webhook['status'] }) {
  return useInfiniteQuery({
    ...listIn(ws, [...listOf(ws), 'found', { q, status }], '/api/v1/webhooks', { query: { q, status } }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
}

/** A webhook with the `ETag` of its version. */
export interface Tagged {
  webhook: Webhook;
  etag: string;
}

export function readWebhook(ws: string, id: string, signal?: AbortSignal): Promise<Tagged> {
  return versioned(
    'webhook',
    apiIn(ws).raw.GET('/api/v1/webhooks/{id}', { params: { path: { id } }, signal }),
  );
}

export function useWebhook(ws: string, id: string) {
  return useQuery({
    queryKey: oneOf(ws, id),
    queryFn: ({ signal }) => readWebhook(ws, id, signal),
    refetchInterval: 10_000,
  });
}

/** Converts a webhook to the draft of a form. */
export function toDraft({ webhook, etag }: Tagged) {
  return { draft: draftOf(webhook), etag };
}

export function refreshWebhooks(client: QueryClient, ws: string, id?: string): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: listOf(ws) }),
    id && client.invalidateQueries({ queryKey: oneOf(ws, id) }),
    id && client.invalidateQueries({ queryKey: [...keys.deliveries(ws), id] }),
  ]);
}

/** Creates a webhook. Only this response contains the secret. */
export function useCreateWebhook(ws: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateWebhook) => apiIn(ws).POST('/api/v1/webhooks', { body }),
    onSuccess: () => refreshWebhooks(client, ws),
  });
}

/** Saves the changes of a webhook. Fails if another user changed it since. */
export async function saveWebhook(ws: string, id: string, body: Partial<WebhookDraft>, etag: string) {
  return apiIn(ws).PATCH('/api/v1/webhooks/{id}', { params: ofVersion(id, etag), body });
}

/** An action on a webhook without a form. */
export type Act = 'pause' | 'enable' | 'delete';

export function useAct(ws: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (act: Act): Promise<void> => {
      const how = { params: { path: { id } } };
      if (act === 'pause') await apiIn(ws).POST('/api/v1/webhooks/{id}/pause', how);
      else if (act === 'enable') await apiIn(ws).POST('/api/v1/webhooks/{id}/enable', how);
      else await apiIn(ws).DELETE('/api/v1/webhooks/{id}', how);
    },
    onSuccess: (_, act) => refreshWebhooks(client, ws, act === 'delete' ? undefined : id),
  });
}

/** Sends a sample event and returns the result. */
export function useTestWebhook(ws: string, id: string) {
  return useMutation({
    mutationFn: (event_type: string | undefined) =>
      apiIn(ws).POST('/api/v1/webhooks/{id}/test', { params: { path: { id } }, body: { event_type } }),
  });
}

/** Rotates the secret. Only this response contains the new one. */
export function useRotateSecret(ws: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (overlap: string) =>
      apiIn(ws).POST('/api/v1/webhooks/{id}/rotate-secret', { params: { path: { id } }, body: { overlap } }),
    onSuccess: () => refreshWebhooks(client, ws, id),
  });
}
