import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { allIn, listIn } from '../api/lists';
import { Problem, problemOf } from '../api/problem';
import type { components } from '../api/schema';
import { ofVersion, versioned } from '../api/versioned';
import { patchRows, refreshLists } from '../contacts/api';
import { useFlowChoices, useSequenceChoices } from '../flows/build/use-names';

type Schemas = components['schemas'];
export type Contact = Schemas['Contact'];
export type UpdateContact = Schemas['UpdateContact'];
export type Enrollment = Schemas['Enrollment'];
export type TimelineEntry = Schemas['TimelineEntry'];

/** A contact with the `ETag` of its version. */
export interface Versioned {
  contact: Contact;
  etag: string;
}

const contactOf = (ws: string, id: string) => ['contact', ws, id];

export function readContact(ws: string, id: string, signal?: AbortSignal): Promise<Versioned> {
  const params = { path: { id } };
  return versioned('contact', apiIn(ws).raw.GET('/api/v1/contacts/{id}', { params, signal }));
}

export function useContact(ws: string, id: string) {
  return useQuery({
    queryKey: contactOf(ws, id),
    queryFn: ({ signal }) => readContact(ws, id, signal),
  });
}

/** Returns a function that refreshes the contact and all lists that contain it. */
function useChanged(ws: string, id: string) {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: contactOf(ws, id) });
    const now = client.getQueryData<Versioned>(contactOf(ws, id));
    if (now) patchRows(client, ws, (row) => (row.id === id ? now.contact : row));
  };
}

/** Saves the changes of a contact. Fails if another user changed it since. */
export function useSaveContact(ws: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, etag }: { body: UpdateContact; etag: string }) =>
      versioned(
        'contact',
        apiIn(ws).raw.PATCH('/api/v1/contacts/{id}', { params: ofVersion(id, etag), body }),
      ),
    onSuccess: (saved) => {
      client.setQueryData(contactOf(ws, id), saved);
      patchRows(client, ws, (row) => (row.id === id ? saved.contact : row));
      void client.invalidateQueries({ queryKey: [...contactOf(ws, id), 'timeline'] });
    },
  });
}

export function useAddTag(ws: string, id: string) {
  const client = useQueryClient();
  const changed = useChanged(ws, id);
  return useMutation({
    mutationFn: (body: { tag_id: string } | { name: string }) =>
      apiIn(ws).POST('/api/v1/contacts/{id}/tags', { params: { path: { id } }, body }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.tags(ws) });
      return changed();
    },
  });
}

/**
 * Removes a tag. Users who may not delete send the remaining tags instead, with the version that they saw.
 */
export function useRemoveTag(ws: string, { contact, etag }: Versioned, administers: boolean) {
  const changed = useChanged(ws, contact.id);
  return useMutation({
    mutationFn: (tag: string): Promise<unknown> => {
      const api = apiIn(ws);
      if (administers) {
        const path = { id: contact.id, tag_id: tag };
        return api.DELETE('/api/v1/contacts/{id}/tags/{tag_id}', { params: { path } });
      }
      const tags = contact.tags.filter((it) => it.id !== tag).map((it) => it.id);
      const params = { path: { id: contact.id }, header: { 'If-Match': etag } };
      return api.PUT('/api/v1/contacts/{id}/tags', { params, body: { tags } });
    },
    onSettled: changed,
  });
}

export type Act =
  | { do: 'delete' | 'restore' | 'erase' }
  | { do: 'merge'; into: string }
  | { do: 'send'; text: string; channel_id?: string }
  | { do: 'start'; flow_id: string; mode?: Schemas['StartMode'] }
  | { do: 'enroll' | 'leave' | 'pause' | 'resume'; sequence: string };

/** Runs any other action on a contact. */
export function useAct(ws: string, id: string) {
  const client = useQueryClient();
  const changed = useChanged(ws, id);
  const api = apiIn(ws);
  const path = { id };
  const act = (it: Act): Promise<unknown> => {
    switch (it.do) {
      case 'delete':
        return api.DELETE('/api/v1/contacts/{id}', { params: { path } });
      case 'restore':
        return api.POST('/api/v1/contacts/{id}/restore', { params: { path } });
      case 'erase':
        return api.POST('/api/v1/contacts/{id}/erase', { params: { path } });
      case 'merge': {
        const body = { into: it.into };
        return api.POST('/api/v1/contacts/{id}/merge', { params: { path }, body });
      }
      case 'send': {
        const body = { type: 'text' as const, text: it.text, channel_id: it.channel_id };
        return api.POST('/api/v1/contacts/{id}/send-message', { params: { path }, body });
      }
      case 'start': {
        const body = { flow_id: it.flow_id, mode: it.mode };
        return api.POST('/api/v1/contacts/{id}/start-flow', { params: { path }, body });
      }
    }
    const params = { path: { id, sequence_id: it.sequence } };
    switch (it.do) {
      case 'enroll':
        return api.POST('/api/v1/contacts/{id}/sequences/{sequence_id}', { params });
      case 'leave':
        return api.DELETE('/api/v1/contacts/{id}/sequences/{sequence_id}', { params });
      case 'pause':
        return api.POST('/api/v1/contacts/{id}/sequences/{sequence_id}/pause', { params });
      case 'resume':
        return api.POST('/api/v1/contacts/{id}/sequences/{sequence_id}/resume', { params });
    }
  };
  return useMutation({
    mutationFn: act,
    onSuccess: (_, { do: done }) => {
      if (done === 'delete' || done === 'erase' || done === 'restore') refreshLists(client, ws);
      // The page of a deleted contact does not request it again.
      return done === 'delete' || done === 'erase' ? undefined : changed();
    },
  });
}

/** The timeline of a contact, newest first, optionally filtered by `kind`. */
export function useTimeline(ws: string, id: string, kind: string | undefined) {
  return useInfiniteQuery(
    listIn(ws, [...contactOf(ws, id), 'timeline', kind], '/api/v1/contacts/{id}/timeline', {
      query: { kind, limit: 50 },
      path: { id },
    }),
  );
}

export function useEnrollments(ws: string, id: string) {
  return useQuery({
    queryKey: [...contactOf(ws, id), 'sequences'],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { limit: 100 } };
      const asked = apiIn(ws).GET('/api/v1/contacts/{id}/sequences', { params, signal });
      return (await asked).data;
    },
  });
}

/** Sequences, flows and broadcasts with their names. The timeline contains only their IDs. */
export function useNamed(ws: string) {
  const sequences = useSequenceChoices();
  const flows = useFlowChoices();
  const broadcasts = useQuery({
    ...allIn(ws, [...keys.broadcasts(ws), 'all'], '/api/v1/broadcasts'),
    staleTime: 60_000,
  });
  return { sequences: sequences.data ?? [], flows: flows.data ?? [], broadcasts: broadcasts.data ?? [] };
}

/** Exports all data of a contact as a file. */
export async function exportOf(ws: string, id: string): Promise<Blob> {
  const asked = await apiIn(ws).raw.GET('/api/v1/contacts/{id}/export', {
    params: { path: { id } },
    parseAs: 'blob',
  });
  if (!asked.response.ok) throw problemOf(asked.response, asked.error);
  return asked.data as unknown as Blob;
}

export const isGone = (error: unknown) => error instanceof Problem && error.status === 404;
