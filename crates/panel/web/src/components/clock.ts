import { createContext, useContext, useSyncExternalStore } from 'react';

/** Interval of the updates of relative times, in milliseconds. */
const EVERY = 15_000;

const listeners = new Set<() => void>();
let ticks = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  ticks += 1;
  for (const listener of listeners) listener();
}

/** A browser slows down the timers of a hidden tab, so the times are updated when the tab is shown again. */
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

/** Lead of the clock of the workspace over the present, in milliseconds; 0 except in a sandbox. */
export const ClockLead = createContext(0);

/** The present in milliseconds. Each render reads the clock, and the component renders again every 15 seconds. */
export function usePresent(): number {
  useSyncExternalStore(subscribe, () => ticks);
  return Date.now();
}

/** The current time of the workspace in milliseconds: the clock of the sandbox, otherwise the present. */
export function useNow(): number {
  return usePresent() + useContext(ClockLead);
}
