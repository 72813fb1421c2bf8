import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** The distance from the end in pixels that counts as at the end. */
const NEAR = 40;

/**
 * The scroll position of a thread. At the end, it stays at the end when messages arrive. Further up, it stays
 * at the same message when messages are added below or above.
 * @param first the ID of the first message
 * @param last changes when an item is added at the end
 * @param count the number of messages
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
    // An on-screen keyboard or a growing field makes the thread smaller.
    const resized = new ResizeObserver(() => atEnd.current && box.scrollTo?.(0, box.scrollHeight));
    resized.observe(box);
    return () => {
      box.removeEventListener('scroll', note);
      resized.disconnect();
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last item moves it
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
