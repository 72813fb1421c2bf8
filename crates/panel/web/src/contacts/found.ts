import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiIn } from '../api/client';

/** The most contacts that are offered. */
const OFFERED = 20;

/**
 * The contacts with a name, address or external ID that contains the text. The newest contacts for an empty
 * text.
 */
export function foundContacts(ws: string, q: string) {
  return queryOptions({
    queryKey: ['contacts-found', ws, q],
    queryFn: async ({ signal }) => {
      const { data } = await apiIn(ws).GET('/api/v1/contacts', {
        params: { query: { q: q || undefined, limit: OFFERED } },
        signal,
      });
      return data;
    },
    placeholderData: keepPreviousData,
  });
}
