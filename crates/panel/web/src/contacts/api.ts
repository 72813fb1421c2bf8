import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { pages } from '../api/pages';
import type { components } from '../api/schema';
import type { Asked } from './query';

export type Contact = components['schemas']['Contact'];
export type CreateContact = components['schemas']['CreateContact'];
export type Segment = components['schemas']['ShownSegment'];
export type Page = components['schemas']['List_Contact'];

/** The rows of a page: the maximum of the API. */
const ROWS = 100;

const listsOf = (ws: string) => [...keys.contacts(ws), 'list'];

function readPage(ws: string, of: Asked, cursor: string | undefined, signal: AbortSignal): Promise<Page> {
  const api = apiIn(ws);
  if (of.by === 'search') {
    const { filter, sort } = of;
    return api.POST('/api/v1/contacts/search', { signal, body: { filter, sort, limit: ROWS, cursor } });
  }
  const { by, ...query } = of;
  return api.GET('/api/v1/contacts', {
    signal,
    // Only the first page requests the total, which applies to all pages of the list.
    params: { query: { ...query, limit: ROWS, cursor, include: cursor ? undefined : 'total' } },
  });
}

/** Contacts in pages that load while the user scrolls. */
export function useContacts(ws: string, of: Asked | undefined) {
  return useInfiniteQuery({
    ...pages([...listsOf(ws), of], (cursor, signal) => readPage(ws, of as Asked, cursor, signal)),
    enabled: of !== undefined,
    placeholderData: keepPreviousData,
    // Do not reload a long list when the window gets the focus.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

/** Updates the shown rows after a change. A row is removed if `change` returns `undefined` for it. */
export function patchRows(
  client: QueryClient,
  ws: string,
  change: (contact: Contact) => Contact | undefined,
): void {
  client.setQueriesData<InfiniteData<Page>>({ queryKey: listsOf(ws) }, (lists) => {
    if (!lists) return lists;
    const pages = lists.pages.map((page) => {
      const data = page.data.flatMap((row) => change(row) ?? []);
      const gone = page.data.length - data.length;
      return { ...page, data, total: typeof page.total === 'number' ? page.total - gone : page.total };
    });
    return { ...lists, pages };
  });
}

/** Reads all lists again from the first page. */
export function refreshLists(client: QueryClient, ws: string): void {
  void client.resetQueries({ queryKey: listsOf(ws) });
}

export function useSegment(ws: string, id: string | undefined) {
  return useQuery({
    queryKey: [...keys.segments(ws), id],
    enabled: id !== undefined,
    queryFn: ({ signal }) =>
      apiIn(ws).GET('/api/v1/segments/{id}', { params: { path: { id: id as string } }, signal }),
  });
}

export function useCreateContact(ws: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateContact) => apiIn(ws).POST('/api/v1/contacts', { body }),
    onSuccess: () => {
      refreshLists(client, ws);
      void client.invalidateQueries({ queryKey: keys.tags(ws) });
    },
  });
}
