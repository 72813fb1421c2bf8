import { useDebouncedValue } from '@mantine/hooks';
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import type { components } from '../api/schema';
import { shortened } from '../components/id';
import { type Found, hasWords } from './findings';

/** The types of objects that are searched by name. */
const LISTED = ['flows', 'broadcasts', 'segments', 'sequences'] as const;
type Listed = (typeof LISTED)[number];
type Kind = 'contacts' | Listed;
type Contact = components['schemas']['Contact'];

/** The most objects of a type that are shown. */
const MAX_SHOWN = 5;
/** The shortest text for a search of objects. */
const MIN_LENGTH = 2;
const MAX_LENGTH = 100;
/** The pause in typing before a search, in milliseconds. */
const PAUSE = 200;

interface Named {
  id: string;
  name: string;
}
interface Page {
  data: Named[];
  next_cursor: string | null;
}

export interface FoundObjects {
  found: Found[];
  failed: { kind: Kind; error: unknown }[];
  isSearching: boolean;
}

/**
 * Searches objects by the words of their names. The API searches contacts. The first page of each other list
 * is read once and filtered here. If a list has more pages, the API searches it too.
 */
export function useFoundObjects(ws: string, text: string): FoundObjects {
  const wanted = text.trim().slice(0, MAX_LENGTH);
  const [settled] = useDebouncedValue(wanted, PAUSE);
  const isOn = wanted.length >= MIN_LENGTH;
  const isSettled = isOn && settled === wanted;
  const contacts = useQuery({
    queryKey: ['search', ws, 'contacts', settled],
    enabled: isSettled,
    queryFn: ({ signal }) => searchedContacts(ws, settled, signal),
    staleTime: 10_000,
  });
  const whole = useQueries({
    queries: LISTED.map((kind) => ({
      queryKey: ['search', ws, kind],
      enabled: isOn,
      queryFn: ({ signal }: { signal: AbortSignal }) => page(ws, kind, undefined, signal),
      staleTime: 60_000,
    })),
  });
  const searched = useQueries({
    queries: LISTED.map((kind, at) => ({
      queryKey: ['search', ws, kind, settled],
      enabled: isSettled && Boolean(whole[at]?.data?.next_cursor),
      queryFn: ({ signal }: { signal: AbortSignal }) => page(ws, kind, settled, signal),
      staleTime: 10_000,
    })),
  });
  if (!isOn) return { found: [], failed: [], isSearching: false };

  const results: [Kind, UseQueryResult][] = [['contacts', contacts]];
  const found = isSettled ? (contacts.data ?? []).map(contactFound) : [];
  LISTED.forEach((kind, at) => {
    const first = whole[at];
    const second = searched[at];
    if (!first || !second) return;
    const isWhole = first.data?.next_cursor === null;
    results.push([kind, isWhole || first.error ? first : second]);
    const rows = isWhole ? first.data?.data : isSettled ? second.data?.data : undefined;
    const named = (rows ?? []).filter(({ name }) => hasWords(name, wanted));
    found.push(...named.slice(0, MAX_SHOWN).map((it) => listedFound(kind, it)));
  });
  return {
    found,
    failed: results.flatMap(([kind, { error }]) => (error ? [{ kind, error }] : [])),
    isSearching: !isSettled || results.some(([, { isPending, error }]) => isPending && !error),
  };
}

async function searchedContacts(ws: string, q: string, signal: AbortSignal): Promise<Contact[]> {
  const params = { query: { q, limit: MAX_SHOWN } };
  return (await apiIn(ws).GET('/api/v1/contacts', { params, signal })).data;
}

function page(ws: string, kind: Listed, q: string | undefined, signal: AbortSignal): Promise<Page> {
  const asked = { params: { query: { q, limit: 100 } }, signal };
  switch (kind) {
    case 'flows':
      return apiIn(ws).GET('/api/v1/flows', asked);
    case 'broadcasts':
      return apiIn(ws).GET('/api/v1/broadcasts', asked);
    case 'segments':
      return apiIn(ws).GET('/api/v1/segments', asked);
    case 'sequences':
      return apiIn(ws).GET('/api/v1/sequences', asked);
  }
}

function contactFound({ id, name, email, phone, external_id }: Contact): Found {
  const [label = shortened(id), hint] = [name, email, phone, external_id].filter((it) => it !== null);
  return { group: 'contacts', label, hint, to: `/contacts/${id}` };
}

function listedFound(kind: Listed, { id, name }: Named): Found {
  if (kind === 'segments') return { group: kind, label: name, to: '/segments', search: { open: id } };
  return { group: kind, label: name, to: `/${kind}/${id}` };
}
