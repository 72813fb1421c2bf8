import { useCallback } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useAccount } from '../app/use-session';
import { useNames } from '../usage/use-log';
import { useAssignees } from './assignees';

/**
 * The names of members and API keys, by ID. Only admins can list them all. Members know those who can be assigned to
 * conversations, and viewers only know their own name.
 */
export function useActorNames(ws: string): (id: string) => string | undefined {
  const { administers, role } = useWhere();
  const { user } = useAccount();
  const { data } = useNames(ws, administers);
  const assignees = useAssignees(ws, !administers && mayWrite(role)).data;
  return useCallback(
    (id) => {
      if (id === user.id) return user.name ?? user.email;
      const named = [...(data?.keys ?? []), ...(assignees ?? [])];
      return data?.people[id] ?? named.find((it) => it.id === id)?.name;
    },
    [data, assignees, user],
  );
}
