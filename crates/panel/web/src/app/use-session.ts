import { useSyncExternalStore } from 'react';
import { type Account, type Session, session } from './session';

/** Who uses this tab. */
export function useSession(): Session {
  return useSyncExternalStore(session.subscribe, session.snapshot);
}

/** The person who is signed in; for pages that nobody else sees. */
export function useAccount(): Account {
  const current = useSession();
  if (current.state !== 'in') throw new Error('This page is for people who are signed in.');
  return current.account;
}
