import { createContext, useContext, useSyncExternalStore } from 'react';

/** The interval at which relative times are updated, in milliseconds. */
const EVERY = 15_000;

const listeners = new Set<() => void>();
let ticks = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  ticks += 1;
  for (const listener of listeners) listener();
}

/** Browsers slow down the timers of a hidden tab, so the times are updated when the tab becomes visible. */
function tickWhenVisible(): void {
  if (document.visibilityState === 'visible') tick();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    timer = setInterval(tick, EVERY);
    document.addEventListener('visibilitychange', tickWhenVisible);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tickWhenVisible);
  };
}

/** The difference between the workspace's clock and the real time, in milliseconds. 0 except in a sandbox. */
export const ClockLead = createContext(0);

/** The real time in milliseconds. The component renders again every 15 seconds. */
export function usePresent(): number {
  useSyncExternalStore(subscribe, () => ticks);
  return Date.now();
}

/** The time of the workspace in milliseconds: the clock of a sandbox, otherwise the real time. */
export function useNow(): number {
  return usePresent() + useContext(ClockLead);
}
