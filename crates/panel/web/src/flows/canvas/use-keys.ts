import type { Definition, Point } from '../definition';
import type { Layout } from '../graph/arrange';
import { connect, moved, remove } from '../graph/edit';
import { type Step, stepped } from '../graph/walk';
import type { View } from './elements';
import { useShow } from './use-reveal';

const STEPS: Record<string, Step> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/** An arrow key moves a card this far, in pixels of the canvas. */
const FAR = 16;
const AWAY: Record<Step, Point> = {
  up: { x: 0, y: -FAR },
  down: { x: 0, y: FAR },
  left: { x: -FAR, y: 0 },
  right: { x: FAR, y: 0 },
};

interface Keys {
  view: View;
  selected: readonly string[];
  select: (ids: string[]) => void;
  chosen: string | undefined;
  definition: Definition;
  onChange?: (next: Definition) => void;
}

/**
 * Keyboard control: arrow keys move along edges, Enter and Space select, Delete deletes the selection. With Shift,
 * arrow keys move the selected cards. With Ctrl, arrow keys keep the selection, and Enter and Space change it.
 */
export function useKeys({ view, selected, select, chosen, definition, onChange }: Keys) {
  const show = useShow(view);
  return (event: React.KeyboardEvent) => {
    if (event.altKey || isTyping(event.target)) return;
    const keeps = event.ctrlKey || event.metaKey;
    const focused = (event.target as HTMLElement).closest<HTMLElement>('[data-card]')?.dataset.card;
    const step = STEPS[event.key];
    if (step && event.shiftKey) {
      if (keeps || !onChange) return;
      event.preventDefault();
      const ids = selected.length > 0 ? selected : focused ? [focused] : [];
      if (ids.length > 0) onChange(moved(definition, pointsAfter(view.layout, ids, AWAY[step])));
    } else if (step) {
      const next = stepped(view.graph, view.layout, focused ?? selected.at(-1), step);
      event.preventDefault();
      if (!next) return;
      if (!keeps) select([next]);
      show(next);
    } else if ((event.key === 'Enter' || event.key === ' ') && focused) {
      event.preventDefault();
      select(keeps ? toggled(selected, focused) : [focused]);
    } else if (keeps) {
      return;
    } else if (event.key === 'Escape') {
      select([]);
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && onChange) {
      event.preventDefault();
      const edge = view.graph.edges.find((it) => it.id === chosen);
      if (selected.length > 0) {
        // Otherwise the focus would leave the canvas with the deleted card.
        const next = neighbour(view, selected);
        if (next) show(next);
        onChange(remove(definition, selected));
        select([]);
      } else if (edge) onChange(connect(definition, edge.from, edge.exit, undefined));
    }
  };
}

/** Returns the positions of all cards after some were moved. */
function pointsAfter(layout: Layout, ids: readonly string[], by: Point): Layout {
  const at = (id: string, { x, y }: Point) => (ids.includes(id) ? { x: x + by.x, y: y + by.y } : { x, y });
  return Object.fromEntries(Object.entries(layout).map(([id, point]) => [id, at(id, point)]));
}

function toggled(selected: readonly string[], id: string): string[] {
  return selected.includes(id) ? selected.filter((it) => it !== id) : [...selected, id];
}

/** The card that gets the focus after a deletion: the one above, otherwise the first. */
function neighbour({ graph, layout }: View, selected: readonly string[]): string | undefined {
  const [first] = selected;
  const above = first && stepped(graph, layout, first, 'up');
  if (above && !selected.includes(above)) return above;
  return graph.vertices.find(({ id }) => !selected.includes(id))?.id;
}

export function isTyping(target: EventTarget): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
