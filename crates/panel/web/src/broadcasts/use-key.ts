import { useRef } from 'react';

/** The key of a request: the same for the same body, so that what is tried again is done once. */
export function useKeyOf(): (body: unknown) => string {
  const last = useRef<{ key: string; body: string }>(undefined);
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current?.body !== text) last.current = { key: crypto.randomUUID(), body: text };
    return last.current.key;
  };
}
