import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** How near the end counts as at the end. */
const NEAR = 40;

/**
 * Where one is in a thread. Who is at its end stays there when something comes; who reads further up
 * keeps the place, whether something comes below or earlier messages come above.
 *
 * @param first which message stands first, @param last which one last, @param count how many there are.
 */
export function usePlace(first: string | undefined, last: string | undefined, count: number) {
  const log = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const before = useRef<{ first?: string; count: number; height: number }>({ count: 0, height: 0 });
  const [below, setBelow] = useState(0);

  useEffect(() => {
    const box = log.current;
    if (!box) return;
    const note = () => {
      atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
      if (atEnd.current) setBelow(0);
    };
    box.addEventListener('scroll', note, { passive: true });
    // A keyboard that opens, or a field that grows, takes room from the thread.
    const resized = new ResizeObserver(() => atEnd.current && box.scrollTo?.(0, box.scrollHeight));
    resized.observe(box);
    return () => {
      box.removeEventListener('scroll', note);
      resized.disconnect();
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what came last is what moves it
  useLayoutEffect(() => {
    const box = log.current;
    if (!box) return;
    const more = count - before.current.count;
    const earlier = before.current.first !== undefined && before.current.first !== first;
    if (atEnd.current) box.scrollTo?.(0, box.scrollHeight);
    else if (earlier) box.scrollTop += box.scrollHeight - before.current.height;
    else if (more > 0) setBelow((it) => it + more);
    before.current = { first, count, height: box.scrollHeight };
  }, [first, last, count]);

  const toEnd = () => {
    atEnd.current = true;
    setBelow(0);
    log.current?.scrollTo?.(0, log.current.scrollHeight);
  };
  return { log, below, toEnd };
}
