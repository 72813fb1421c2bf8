import type { Definition } from '../definition';
import { connect, remove } from '../graph/edit';
import { type Step, stepped } from '../graph/walk';
import type { View } from './elements';
import { useShow } from './use-reveal';

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

/** Keyboard control: arrow keys move along edges, Enter and Space select, Delete deletes the selection. */
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
        // Otherwise the focus would leave the canvas with the deleted card.
        const next = neighbour(view, selected);
        if (next) show(next);
        onChange(remove(definition, selected));
        select([]);
      } else if (edge) onChange(connect(definition, edge.from, edge.exit, undefined));
    }
  };
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
