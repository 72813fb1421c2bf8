import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../api/keys';
import { preview } from '../bulk/api';
import type { Audience } from '../bulk/audience';
import type { Contact } from './api';
import type { Selection } from './use-selection';

/** The selection of all contacts of a list, including those that are not loaded. */
export interface Everything {
  /** Whether all contacts are selected. */
  chosen: boolean;
  /** Whether selecting all is offered: all loaded contacts are selected, and the list has more. */
  offered: boolean;
  /** The number of contacts. `undefined` until they are counted. */
  count: number | undefined;
  choose: () => void;
  /** The selection of the table. Changing a row ends the selection of all. */
  selection: Selection;
}

interface Of {
  ws: string;
  /** Identifies the list. The selection ends with another list. */
  listKey: string;
  /** The contacts of the list. `undefined` if bulk operations are not available for it. */
  audience: Audience | undefined;
  rows: Contact[];
  hasMore: boolean;
  selection: Selection;
}

export function useEverything({ ws, listKey, audience, rows, hasMore, selection }: Of): Everything {
  const [chosenList, choose] = useState<string>();
  const chosen = chosenList === listKey;
  const offered = !chosen && hasMore && rows.length > 0 && rows.every(({ id }) => selection.has(id));
  const counted = useQuery({
    queryKey: [...keys.contacts(ws), 'counted', audience],
    enabled: (offered || chosen) && audience !== undefined,
    staleTime: 30_000,
    queryFn: ({ signal }) => preview(ws, { filter: audience as Audience }, signal),
  });
  const single = () => choose(undefined);
  return {
    chosen,
    offered,
    count: counted.data?.matched,
    choose: () => choose(listKey),
    selection: {
      ...selection,
      has: (id) => chosen || selection.has(id),
      toggle: (id) => {
        single();
        selection.toggle(id);
      },
      clear: () => {
        single();
        selection.clear();
      },
    },
  };
}
