import { useMemo, useState } from 'react';

/** The selected rows, by ID. */
export interface Selection {
  ids: string[];
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  add: (ids: string[]) => void;
  clear: () => void;
}

export function useSelection(): Selection {
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () => ({
      ids: [...chosen],
      has: (id) => chosen.has(id),
      toggle: (id) =>
        choose((before) => {
          const next = new Set(before);
          if (!next.delete(id)) next.add(id);
          return next;
        }),
      add: (ids) => choose((before) => new Set([...before, ...ids])),
      clear: () => choose(new Set()),
    }),
    [chosen],
  );
}
