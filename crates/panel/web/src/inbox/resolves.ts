import { useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import type { components } from '../api/schema';
import type { TimelineEntry } from './told';
import type { Conversation } from './views';

/** A resolve of a conversation. */
export interface Resolve {
  id: string;
  at: string;
  /** Absent if the timeline does not contain the event. */
  actor?: components['schemas']['Actor'];
}

interface ResolvedEvent {
  type?: string;
  actor?: Resolve['actor'];
  data?: { object?: { id?: string } };
}

/** The most pages of the timeline that are read, because it cannot be filtered by event type. */
const MAX_PAGES = 3;

/** The resolves of a conversation, from the timeline of its contact. */
export function useResolves(ws: string, conversation: Conversation): Resolve[] {
  const { id, contact_id: contact, resolved_at } = conversation;
  const { data } = useQuery({
    // A further resolve changes the key, so the timeline is read again.
    queryKey: [...keys.timelines(ws), contact, 'resolves', id, resolved_at],
    enabled: resolved_at !== null || conversation.reopen_count > 0,
    queryFn: async ({ signal }) => {
      const entries: TimelineEntry[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const query = { kind: 'event', limit: 100, cursor };
        const params = { path: { id: contact }, query };
        const asked = apiIn(ws).GET('/api/v1/contacts/{id}/timeline', { params, signal });
        const { data, next_cursor } = await asked;
        entries.push(...data);
        if (!next_cursor) break;
        cursor = next_cursor;
      }
      return entries;
    },
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return resolvesOf(conversation, data ?? []);
}

/** The resolves of a conversation in the entries. The current one is added if its entry is missing. */
export function resolvesOf({ id, resolved_at }: Conversation, entries: TimelineEntry[]): Resolve[] {
  const found = entries.flatMap((entry): Resolve[] => {
    const { type, actor, data } = entry.summary as ResolvedEvent;
    const isOne = type === 'conversation.resolved' && data?.object?.id === id;
    return isOne ? [{ id: entry.id, at: entry.at, actor }] : [];
  });
  const isKnown = !resolved_at || found.some((it) => Date.parse(it.at) >= Date.parse(resolved_at));
  return isKnown ? found : [...found, { id: `resolved ${resolved_at}`, at: resolved_at }];
}
