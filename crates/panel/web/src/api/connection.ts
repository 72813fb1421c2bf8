import { useEffect, useSyncExternalStore } from 'react';
import { textsReady } from '../i18n/load';
import { Listeners } from './listeners';

/** The interval in milliseconds for checking whether an unreachable server is back. */
const EVERY = 1_500;

/** Whether the last request reached the server. */
let reachable = true;
let asking: ReturnType<typeof setInterval> | undefined;
const listeners = new Listeners();

async function answers(): Promise<boolean> {
  const answer = await fetch('/healthz').catch(() => undefined);
  return answer?.ok ?? false;
}

/** Records whether a request reached the server. Checks an unreachable server until it is back. */
export function noteReachable(now: boolean): void {
  if (now === reachable) return;
  reachable = now;
  clearInterval(asking);
  if (!now) asking = setInterval(() => void answers().then((it) => it && noteReachable(true)), EVERY);
  listeners.notify();
}

/**
 * Calls the listener when the server becomes unreachable or reachable. Returns a function that removes the
 * listener.
 */
export const onReachable = listeners.subscribe;

export function isReachable(): boolean {
  return reachable;
}

export function useReachable(): boolean {
  return useSyncExternalStore(onReachable, isReachable);
}

function LoadAnew(): null {
  useEffect(() => window.location.reload(), []);
  return null;
}

/** A module with `LoadAnew` as each export. It has no `then`, because `await` would treat it as a promise. */
const ANEW = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : LoadAnew) });

/**
 * Loads a module, and the texts that its modules use. Waits while the server is unreachable.
 *
 * A browser may not fetch a module again after a failed fetch
 * (https://html.spec.whatwg.org/multipage/webappapis.html#module-map). Then the page is reloaded when the
 * module is rendered, and not before, because the user may be working on another page. If the server was
 * reachable all the time, another version replaced the module: the promise is rejected.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (let wasAway = false; ; ) {
    try {
      const part = await load();
      await textsReady();
      return part;
    } catch (error) {
      wasAway ||= !reachable;
      if (await answers()) {
        if (wasAway) return ANEW as T;
        throw error;
      }
      wasAway = true;
      noteReachable(false);
      await new Promise<void>((back) => {
        const stop = onReachable(() => {
          stop();
          back();
        });
      });
    }
  }
}
