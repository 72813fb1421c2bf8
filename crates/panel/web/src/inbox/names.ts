import { useQuery } from '@tanstack/react-query';
import { api, inWorkspace, value } from '../api/client';
import { useWhere } from '../app/here';
import { useAccount } from '../app/use-session';
import { texts } from '../i18n/texts';
import { useMembers } from '../members/api';
import type { Member } from '../members/rights';

const t = texts('inbox');

/** What flows, sequences and tags are called, by their ids. */
export function useNames(ws: string): (id: string) => string | undefined {
  const { data } = useQuery({
    queryKey: ['names', ws],
    queryFn: async ({ signal }) => {
      const params = { query: { limit: 100 } };
      const headers = inWorkspace(ws);
      const lists = await Promise.all([
        value(api.GET('/api/v1/flows', { params, headers, signal })),
        value(api.GET('/api/v1/sequences', { params, headers, signal })),
        value(api.GET('/api/v1/tags', { params, headers, signal })),
      ]);
      return new Map(lists.flatMap(({ data }) => data.map((it) => [it.id, it.name] as [string, string])));
    },
    staleTime: 120_000,
  });
  return (id) => data?.get(id);
}

/** The people of the workspace, as far as one may know them, and what to call each. */
export function useColleagues(): { known: Member[]; nameOf: (id: string) => string } {
  const { live, administers } = useWhere();
  const { user } = useAccount();
  const members = useMembers(live.id, administers);
  const known = (members.data ?? []).filter((it) => it.status === 'active');
  const nameOf = (id: string) => {
    if (id === user.id) return t('you');
    const member = known.find((it) => it.id === id);
    return member ? (member.name ?? member.email) : t('aColleague');
  };
  return { known, nameOf };
}
