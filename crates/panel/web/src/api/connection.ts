import { useSyncExternalStore } from 'react';

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

/**
 * Loads a part of the program. While the service is away it waits for it. Where the service answers and
 * the part is not there, another version was put in its place: the promise is rejected, and the page
 * has to be loaded anew.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (await answers()) throw error;
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
