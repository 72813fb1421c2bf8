import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keys } from '../api/keys';
import { refreshLists } from '../contacts/api';
import { useIsLive } from '../live/use-stream';
import { isAbout, useTold } from '../live/use-told';
import { isOver, type Work } from './work';

/** The polling intervals in milliseconds, with and without a live stream. */
const SELDOM = 3_000;
const OFTEN = 1_000;

interface Source<T> {
  /** The key prefix of all jobs of this type. The key of a job ends with its ID. */
  all: QueryKey;
  /** The object type in the live stream. */
  type: string;
  read: (id: string, signal: AbortSignal) => Promise<T>;
}

/** Polls a job on contacts until it ends, and then refreshes the lists that it changed. */
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
      // The job ended, or the component was unmounted.
      refreshLists(client, ws);
      void client.invalidateQueries({ queryKey: keys.tags(ws) });
    };
  }, [goesOn, client, ws]);
  return found;
}
