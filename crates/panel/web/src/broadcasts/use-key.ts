import { useRef } from 'react';

/**
 * Returns the idempotency key of a request. It is the same for the same body, so a retry has no second
 * effect.
 */
export function useKeyOf(): (body: unknown) => string {
  const last = useRef<{ key: string; body: string }>(undefined);
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current?.body !== text) last.current = { key: crypto.randomUUID(), body: text };
    return last.current.key;
  };
}
