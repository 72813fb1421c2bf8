import { useSyncExternalStore } from 'react';
import { absolute, relative } from './time';

let now = Date.now();
const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  ticking ??= setInterval(() => {
    now = Date.now();
    for (const it of listeners) it();
  }, 15_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(ticking);
      ticking = undefined;
    }
  };
}

/** How long ago, with the instant itself on hover. */
export function When({ at }: { at: string }) {
  const current = useSyncExternalStore(subscribe, () => now);
  return (
    <time dateTime={at} title={absolute(at)}>
      {relative(at, Math.max(current, now))}
    </time>
  );
}
