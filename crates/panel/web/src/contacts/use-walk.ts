import { type RefObject, useEffect, useRef, useState } from 'react';

interface Walk {
  count: number;
  /** The index of the first visible row. The keyboard starts there. */
  first: number;
  /** Scrolls to a row. */
  reveal: (at: number) => void;
  box: RefObject<HTMLElement | null>;
  open: (at: number) => void;
  toggle: (at: number) => void;
}

/** Keyboard navigation for a virtual list: `j`, `k` and the arrow keys move, Enter opens, `x` selects. */
export function useWalk({ count, first, reveal, box, open, toggle }: Walk) {
  const [at, setAt] = useState<number>();
  const moved = useRef(false);
  useEffect(() => {
    if (!moved.current || at === undefined) return;
    const row = box.current?.querySelector<HTMLElement>(`tr[data-index="${at}"]`);
    if (!row) return;
    moved.current = false;
    row.focus({ preventScroll: true });
  });
  const press = (event: React.KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('a, button, input')) return;
    const held = target.closest<HTMLElement>('tr[data-index]')?.dataset.index;
    const current = held === undefined ? at : Number(held);
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (step && count > 0) {
      event.preventDefault();
      const next = current === undefined ? first : Math.min(count - 1, Math.max(0, current + step));
      moved.current = true;
      reveal(next);
      setAt(next);
    } else if (current !== undefined && held !== undefined && event.key === 'Enter') {
      event.preventDefault();
      open(current);
    } else if (current !== undefined && held !== undefined && event.key === 'x') {
      event.preventDefault();
      toggle(current);
    }
  };
  return { press, stop: at ?? first };
}
