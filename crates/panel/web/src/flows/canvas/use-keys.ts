import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useCallback } from 'react';
import type { Definition } from '../definition';
import { connect, remove } from '../graph/edit';
import { type Step, stepped } from '../graph/walk';
import type { View } from './elements';

const STEPS: Record<string, Step> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

interface Keys {
  view: View;
  selected: readonly string[];
  select: (ids: string[]) => void;
  chosen: string | undefined;
  definition: Definition;
  onChange?: (next: Definition) => void;
}

/** Arrows walk along the edges, Enter and space choose, Delete takes away what is chosen. */
export function useKeys({ view, selected, select, chosen, definition, onChange }: Keys) {
  const show = useShow(view);
  return (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const focused = (event.target as HTMLElement).closest<HTMLElement>('[data-card]')?.dataset.card;
    const step = STEPS[event.key];
    if (step) {
      const next = stepped(view.graph, view.layout, focused ?? selected.at(-1), step);
      event.preventDefault();
      if (!next) return;
      select([next]);
      show(next);
    } else if ((event.key === 'Enter' || event.key === ' ') && focused) {
      event.preventDefault();
      select([focused]);
    } else if (event.key === 'Escape') {
      select([]);
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && onChange) {
      event.preventDefault();
      const edge = view.graph.edges.find((it) => it.id === chosen);
      if (selected.length > 0) {
        onChange(remove(definition, selected));
        select([]);
      } else if (edge) onChange(connect(definition, edge.from, edge.exit, undefined));
    }
  };
}

/** Brings a card into sight, and gives it the focus. */
export function useShow({ graph, layout }: Pick<View, 'graph' | 'layout'>) {
  const flow = useReactFlow();
  const store = useStoreApi();
  return useCallback(
    (id: string) => {
      const vertex = graph.vertices.find((it) => it.id === id);
      const at = layout[id];
      if (!vertex || !at) return;
      const { width, height } = store.getState();
      const { x, y, zoom } = flow.getViewport();
      const left = at.x * zoom + x;
      const top = at.y * zoom + y;
      const seen =
        left >= 0 && top >= 0 && left + vertex.width * zoom <= width && top + vertex.height * zoom <= height;
      if (!seen) {
        const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
        void flow.setCenter(at.x + vertex.width / 2, at.y + vertex.height / 2, {
          zoom,
          duration: calm ? 0 : 150,
        });
      }
      const cards = store.getState().domNode?.querySelectorAll<HTMLElement>('[data-card]') ?? [];
      for (const card of cards) if (card.dataset.card === id) card.focus();
    },
    [graph, layout, flow, store],
  );
}

export function isTyping(target: EventTarget): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
