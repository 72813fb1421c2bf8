import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { everyPage } from '../api/pages';
import { isWorthRepeating } from '../api/queries';
import type { components } from '../api/schema';
import { shortened } from '../components/id';
import { isOfMessage, type TimelineEntry } from './told';

export type Contact = components['schemas']['Contact'];
export type CustomField = components['schemas']['CustomField'];

/**
 * The key of a contact in the inbox. It differs from the key on the contact's page, which stores the contact
 * with its version.
 */
export const cardOf = (ws: string, id: string) => ['contact-card', ws, id];

/** The displayed name of a contact. */
export function nameOf(contact: Contact | undefined, id: string): string {
  if (!contact) return shortened(id);
  return contact.name ?? contact.email ?? contact.phone ?? contact.external_id ?? shortened(id);
}

/** The initials of a name, for the picture of a contact. */
export function initials(name: string): string {
  const words = name.split(/[\s@._-]+/).filter((it) => /^[\p{L}\p{N}]/u.test(it));
  const letters = words.slice(0, 2).map((it) => [...it][0]);
  return letters.join('').toUpperCase() || '?';
}

/** The contacts with these IDs. Missing ones are read with one request. */
export function useContacts(ws: string, ids: string[]): (id: string) => Contact | undefined {
  const client = useQueryClient();
  const wanted = [...new Set(ids)].sort();
  const { data } = useQuery({
    queryKey: ['contacts-of-conversations', ws, wanted],
    enabled: wanted.length > 0,
    queryFn: async ({ signal }) => {
      const known = new Map(wanted.flatMap((id) => knownOf(client, ws, id)));
      const missing = wanted.filter((id) => !known.has(id));
      for (let at = 0; at < missing.length; at += 100) {
        for (const it of await searched(ws, missing.slice(at, at + 100), signal)) {
          known.set(it.id, it);
          client.setQueryData(cardOf(ws, it.id), it);
        }
      }
      return known;
    },
    placeholderData: (before) => before,
    staleTime: 60_000,
    // Retry without a limit, otherwise names stay missing. The server rejects searches of contacts while long
    // counts of the workspace run.
    retry: (_, error) => isWorthRepeating(0, error),
  });
  return (id) => data?.get(id);
}

function knownOf(client: QueryClient, ws: string, id: string): [string, Contact][] {
  const known = client.getQueryData<Contact>(cardOf(ws, id));
  return known ? [[id, known]] : [];
}

async function searched(ws: string, ids: string[], signal: AbortSignal): Promise<Contact[]> {
  const { data } = await apiIn(ws).POST('/api/v1/contacts/search', {
    body: { filter: { field: 'id', op: 'in', value: ids }, limit: 100 },
    signal,
  });
  return data;
}

/** A contact, for its card. */
export function useContact(ws: string, id: string | undefined) {
  return useQuery({
    queryKey: cardOf(ws, id ?? ''),
    enabled: id !== undefined,
    queryFn: ({ signal }) =>
      apiIn(ws).GET('/api/v1/contacts/{id}', { params: { path: { id: id ?? '' } }, signal }),
    refetchInterval: 15_000,
  });
}

/** The custom fields by key. */
export function useFields(ws: string): Map<string, CustomField> | undefined {
  const { data } = useQuery({
    queryKey: ['fields-by-key', ws],
    queryFn: async ({ signal }) => {
      const fields = await everyPage((cursor) =>
        apiIn(ws).GET('/api/v1/custom-fields', { params: { query: { limit: 100, cursor } }, signal }),
      );
      return new Map(fields.map((it) => [it.key, it]));
    },
    staleTime: 300_000,
  });
  return data;
}

/**
 * The most pages of the timeline that are read. Events of messages, which are not shown here, fill a part of
 * them.
 */
const MOST_PAGES = 3;

/** The last events of a contact, except messages. */
export function useTimeline(ws: string, id: string | undefined) {
  return useQuery({
    queryKey: [...keys.timelines(ws), id, 'newest'],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const found: TimelineEntry[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES && found.length < ENOUGH; page += 1) {
        const query = { limit: 100, kind: 'event,custom_event,suppression,enrollment', cursor };
        const { data, next_cursor } = await apiIn(ws).GET('/api/v1/contacts/{id}/timeline', {
          params: { path: { id: id ?? '' }, query },
          signal,
        });
        found.push(...data.filter((it) => !isOfMessage(it)));
        if (!next_cursor) break;
        cursor = next_cursor;
      }
      return found.slice(0, ENOUGH);
    },
    refetchInterval: 30_000,
  });
}

/** The number of entries on the card. */
const ENOUGH = 8;
