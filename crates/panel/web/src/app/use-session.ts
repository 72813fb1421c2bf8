import { useSyncExternalStore } from 'react';
import { type Account, type Session, session } from './session';

export function useSession(): Session {
  return useSyncExternalStore(session.subscribe, session.snapshot);
}

/** The signed-in user's account. Throws if no user is signed in. */
export function useAccount(): Account {
  const current = useSession();
  if (current.state !== 'in') throw new Error('This page is for people who are signed in.');
  return current.account;
}
