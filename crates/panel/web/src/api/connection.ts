import { useSyncExternalStore } from 'react';

/** Whether the last request reached the service. */
let reachable = true;
const listeners = new Set<() => void>();

/** Notes whether a request reached the service. */
export function noteReachable(now: boolean): void {
  if (now === reachable) return;
  reachable = now;
  for (const listener of listeners) listener();
}

/** Whether the service answers, as far as the last request tells. */
export function useReachable(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => reachable,
  );
}
