import { useState } from 'react';
import type { Conversation } from './views';

/**
 * The selected conversations. A conversation that leaves the list stays selected until the selection ends.
 */
export function useSelection(rows: Conversation[]) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Conversation>>();
  const change = (next: (before: Map<string, Conversation>) => void) =>
    setChosen((before) => {
      const now = new Map(before);
      next(now);
      return now;
    });
  return {
    /** Whether the selection mode is on. */
    isOn: chosen !== undefined,
    selected: [...(chosen?.values() ?? [])],
    has: (id: string) => chosen?.has(id) ?? false,
    start: () => change(() => undefined),
    toggle: (id: string) =>
      change((now) => {
        const row = rows.find((it) => it.id === id);
        if (!now.delete(id) && row) now.set(id, row);
      }),
    all: () =>
      change((now) => {
        for (const row of rows) now.set(row.id, row);
      }),
    /** Reduces the selection to these conversations. */
    keep: (some: Conversation[]) => setChosen(new Map(some.map((it) => [it.id, it]))),
    end: () => setChosen(undefined),
  };
}
