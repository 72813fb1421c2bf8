import { useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { everyPage } from '../api/pages';
import type { components } from '../api/schema';

export type Assignee = components['schemas']['Assignee'];

/** The members who can be assigned to conversations, sorted by name. Viewers get an error. */
export function useAssignees(ws: string, enabled: boolean) {
  return useQuery({
    queryKey: ['assignees', ws],
    enabled,
    queryFn: async ({ signal }): Promise<Assignee[]> => {
      const all = await everyPage((cursor) =>
        apiIn(ws).GET('/api/v1/assignees', { params: { query: { limit: 100, cursor } }, signal }),
      );
      return all.toSorted((a, b) => a.name.localeCompare(b.name));
    },
    staleTime: 60_000,
  });
}
