import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keys } from '../api/keys';
import { refreshLists } from '../contacts/api';
import { useIsLive } from '../live/use-stream';
import { isAbout, useTold } from '../live/use-told';
import { isOver, type Work } from './work';

/** How often one asks how far it is: where the stream tells, and where it does not. */
const SELDOM = 3_000;
const OFTEN = 1_000;

interface Source<T> {
  /** The key of all work of this kind; that of one has its id behind it. */
  all: QueryKey;
  /** The type of its objects in the stream. */
  type: string;
  read: (id: string, signal: AbortSignal) => Promise<T>;
}

/** Work on contacts, as far as it is; asked for until it is over. What it did is shown everywhere then. */
export function useWork<T extends Work>(ws: string, id: string, { all, type, read }: Source<T>) {
  const client = useQueryClient();
  const isLive = useIsLive(ws);
  const found = useQuery({
    queryKey: [...all, id],
    queryFn: ({ signal }) => read(id, signal),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : isLive ? SELDOM : OFTEN),
  });
  const goesOn = found.data !== undefined && !isOver(found.data);
  useTold(ws, (told) => isAbout(told, type), all, goesOn);
  useEffect(() => {
    if (!goesOn) return;
    return () => {
      // It is over, or nobody looks at it any more.
      refreshLists(client, ws);
      void client.invalidateQueries({ queryKey: keys.tags(ws) });
    };
  }, [goesOn, client, ws]);
  return found;
}
