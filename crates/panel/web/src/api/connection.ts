import { useEffect, useSyncExternalStore } from 'react';
import { textsReady } from '../i18n/load';

/** How often an absent service is asked whether it is back. */
const EVERY = 1_500;

/** Whether the last request reached the service. */
let reachable = true;
let asking: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Whether the service answers at all. */
async function answers(): Promise<boolean> {
  const answer = await fetch('/healthz').catch(() => undefined);
  return answer?.ok ?? false;
}

/** Notes whether a request reached the service. One that is away is asked until it is back. */
export function noteReachable(now: boolean): void {
  if (now === reachable) return;
  reachable = now;
  clearInterval(asking);
  if (!now) asking = setInterval(() => void answers().then((it) => it && noteReachable(true)), EVERY);
  for (const listener of listeners) listener();
}

/** Hears when the service goes and when it is back. */
export function onReachable(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the service answers, as far as the last request tells. */
export function isReachable(): boolean {
  return reachable;
}

/** The same, for what is drawn. */
export function useReachable(): boolean {
  return useSyncExternalStore(onReachable, isReachable);
}

/** Loads the page anew once it is drawn. */
function LoadAnew(): null {
  useEffect(() => window.location.reload(), []);
  return null;
}

/** Stands for a part that only a new page can load: whatever is taken of it is `LoadAnew`. It is no promise. */
const ANEW = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : LoadAnew) });

/**
 * Loads a part of the program, and the texts that its modules use. While the service is away it waits for it. A browser may not fetch again what it could
 * not fetch once (https://html.spec.whatwg.org/multipage/webappapis.html#module-map): then the page is loaded anew when the part is
 * drawn, and not before, as somebody may be at work on another page. Where the service was there all the time and
 * the part is not, another version was put in its place: the promise is rejected.
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
