import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiIn, value } from '../api/client';

/** So many contacts are offered to choose from. */
const OFFERED = 20;

/** The first contacts whose name, address or external id has what is typed; the newest where nothing is. */
export function foundContacts(ws: string, q: string) {
  return queryOptions({
    queryKey: ['contacts-found', ws, q],
    queryFn: async ({ signal }) => {
      const { data } = await value(
        apiIn(ws).GET('/api/v1/contacts', {
          params: { query: { q: q || undefined, limit: OFFERED } },
          signal,
        }),
      );
      return data;
    },
    placeholderData: keepPreviousData,
  });
}
