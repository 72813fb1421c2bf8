import { useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { everyPage } from '../api/pages';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useAccount } from '../app/use-session';
import { texts } from '../i18n/texts';
import { useMembers } from '../members/api';
import { useAssignees } from '../members/assignees';

const t = texts('inbox');

export function useNames(ws: string): (id: string) => string | undefined {
  const { data } = useQuery({
    queryKey: ['names', ws],
    queryFn: async ({ signal }) => {
      const api = apiIn(ws);
      const params = (cursor?: string) => ({ query: { limit: 100, cursor } });
      const lists = await Promise.all([
        everyPage((cursor) => api.GET('/api/v1/flows', { params: params(cursor), signal })),
        everyPage((cursor) => api.GET('/api/v1/sequences', { params: params(cursor), signal })),
        everyPage((cursor) => api.GET('/api/v1/tags', { params: params(cursor), signal })),
      ]);
      return new Map(lists.flat().map(({ id, name }) => [id, name]));
    },
    staleTime: 120_000,
  });
  return (id) => data?.get(id);
}

export interface Colleague {
  id: string;
  name: string;
}

/** The other assignable members, for users who can assign, and a function for the name of each member. */
export function useColleagues(): { others: Colleague[]; nameOf: (id: string) => string } {
  const { workspace, live, role, administers } = useWhere();
  const { user } = useAccount();
  const assignees = useAssignees(workspace.id, mayWrite(role));
  // Admins also know the names of members who cannot be assigned, such as viewers.
  const members = useMembers(live.id, administers, 60_000);
  const others = (assignees.data ?? []).filter((it) => it.id !== user.id);
  const nameOf = (id: string) => {
    if (id === user.id) return t('you');
    const member = members.data?.find((it) => it.id === id);
    return others.find((it) => it.id === id)?.name ?? member?.name ?? member?.email ?? t('aColleague');
  };
  return { others, nameOf };
}
