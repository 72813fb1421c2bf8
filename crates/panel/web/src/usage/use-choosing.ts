import { useState } from 'react';
import type { Bucket } from './buckets';
import { bucketAt, chosenSpan, moved, type Selection } from './selection';

/** Selects buckets by mouse, touch or keyboard. */
export function useChoosing(buckets: Bucket[], onChoose: (span: { from: string; to: string }) => void) {
  const [selection, select] = useState<Selection>();
  const [hovered, hover] = useState<number>();
  const [dragging, drag] = useState(false);

  const apply = () => {
    const span = selection && chosenSpan(buckets, selection);
    select(undefined);
    hover(undefined);
    if (span) onChoose(span);
  };
  const at = (event: React.PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return bucketAt(event.clientX - left, width, buckets.length);
  };
  const handlers = {
    onPointerDown: (event: React.PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || buckets.length === 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag(true);
      select({ anchor: at(event), head: at(event) });
    },
    onPointerMove: (event: React.PointerEvent<HTMLElement>) => {
      if (buckets.length === 0) return;
      const head = at(event);
      hover(head);
      if (dragging) select((it) => ({ anchor: it?.anchor ?? head, head }));
    },
    onPointerUp: () => {
      if (!dragging) return;
      drag(false);
      apply();
    },
    // The touch became a scroll of the page.
    onPointerCancel: () => {
      drag(false);
      select(undefined);
      hover(undefined);
    },
    onPointerLeave: () => !dragging && hover(undefined),
    onBlur: () => {
      drag(false);
      select(undefined);
    },
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const next = moved(selection, event.key, event.shiftKey, buckets.length);
      if (next) {
        event.preventDefault();
        hover(undefined);
        select(next);
      } else if (event.key === 'Enter' && selection) {
        event.preventDefault();
        apply();
      } else if (event.key === 'Escape' && selection) {
        event.preventDefault();
        event.stopPropagation();
        select(undefined);
        drag(false);
      }
    },
  };
  return { selection, hovered, handlers };
}
