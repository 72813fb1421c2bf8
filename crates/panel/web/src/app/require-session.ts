import { redirect } from '@tanstack/react-router';
import { type SessionStore, session } from './session';

/** Set while a user of this browser is signed in. It is a hint, never a token. */
const KEY = 'tidings-signed-in';

function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** Stores whether a user is signed in, for the next visit. Returns a function that stops it. */
export function rememberVisits(store: SessionStore = session): () => void {
  return store.subscribe(() => {
    const { state } = store.snapshot();
    try {
      if (state === 'in') localStorage.setItem(KEY, '');
      if (state === 'out') localStorage.removeItem(KEY);
    } catch {
      // Without storage, each visit is like the first one.
    }
  });
}

/** Resolves when it is known whether a user is signed in. */
function whenKnown(store: SessionStore): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (store.snapshot().state === 'unknown') return;
      stop();
      resolve();
    };
    const stop = store.subscribe(check);
    check();
  });
}

/**
 * Redirects to the sign-in page if no user is signed in, before any file of the requested page is loaded. If
 * the last visit ended signed in, the files load while the server checks the session.
 */
export async function requireSession(href: string, store: SessionStore = session): Promise<void> {
  if (store.snapshot().state === 'unknown' && !wasSignedIn()) await whenKnown(store);
  if (store.snapshot().state === 'out') throw redirect({ to: '/login', search: { to: href }, replace: true });
}
