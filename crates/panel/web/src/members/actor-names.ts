import { useCallback } from 'react';
import { useWhere } from '../app/here';
import { useAccount } from '../app/use-session';
import { useNames } from '../usage/use-log';

/**
 * The names of members and API keys, by ID. Only admins can list them. Other users only know their own name.
 */
export function useActorNames(ws: string): (id: string) => string | undefined {
  const { administers } = useWhere();
  const { user } = useAccount();
  const { data } = useNames(ws, administers);
  return useCallback(
    (id) => {
      if (id === user.id) return user.name ?? user.email;
      return data?.people[id] ?? data?.keys.find((it) => it.id === id)?.name;
    },
    [data, user],
  );
}
