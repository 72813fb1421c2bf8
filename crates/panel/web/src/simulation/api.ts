import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import type { components } from '../api/schema';
import { foundContacts } from '../contacts/found';
import { bodyOf, isBegun, type Story } from './story';

export type Answer = components['schemas']['SimulationAnswer'];

/** The simulated object: the draft of a flow, or a sequence. */
export interface Played {
  kind: 'flow' | 'sequence';
  id: string;
  /** The version of the object. Another version is simulated again. */
  etag: string;
}

function simulate(ws: string, { kind, id }: Played, body: object, signal: AbortSignal): Promise<Answer> {
  const call = { params: { path: { id } }, body: body as never, signal };
  return kind === 'flow'
    ? apiIn(ws).POST('/api/v1/flows/{id}/simulate', call)
    : apiIn(ws).POST('/api/v1/sequences/{id}/simulate', call);
}

/** Simulates from the beginning. The previous result stays until the new one arrives. */
export function useStory(ws: string, played: Played, story: Story) {
  return useQuery({
    queryKey: ['simulation', ws, played, bodyOf(story)],
    enabled: played.kind === 'sequence' || isBegun(story),
    queryFn: ({ signal }) => simulate(ws, played, bodyOf(story), signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

/** Simulates all scripts that are saved with a flow. */
export function useKeptScripts(ws: string, played: Played, enabled: boolean) {
  return useQuery({
    queryKey: ['simulation', ws, played, 'kept'],
    enabled,
    queryFn: ({ signal }) => simulate(ws, played, {}, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

/** Contacts that match the text, as options. */
export function useFoundContacts(ws: string, q: string, enabled: boolean) {
  return useQuery({
    ...foundContacts(ws, q),
    enabled,
    select: (found) =>
      found.map((it) => ({ value: it.id, label: it.name ?? it.email ?? it.external_id ?? it.id })),
  });
}
