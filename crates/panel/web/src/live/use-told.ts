import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Told } from './blocks';
import { streamOf } from './use-stream';

/** What comes within so many milliseconds is asked for once. */
const TOGETHER = 500;

type Changed = { changed: { type: string; id: string | null } };

/** Whether everything that is shown is to be read anew: something may have gone by untold, or a sandbox was emptied. */
export function isAll({ event, data }: Told): boolean {
  if (event !== 'changed') return event === 'ready';
  const { changed } = data as Changed;
  return changed.type === 'workspace' && changed.id === null;
}

/** Whether something told is about objects of a type: a hint, or an event whose kind begins so. */
export function isAbout(told: Told, type: string): boolean {
  if (isAll(told)) return true;
  if (told.event === 'changed') return (told.data as Changed).changed.type === type;
  return told.event.startsWith(`${type}.`);
}

/** Whether something told is an event of the feed; after a gap it is read anew, too. */
export function isEvent(told: Told): boolean {
  return isAll(told) || (told.event !== 'changed' && told.event !== 'end');
}

/** Has what is shown asked for anew as soon as the stream tells that it changed. */
export function useTold(
  ws: string,
  isIt: (told: Told) => boolean,
  queryKey: QueryKey,
  enabled: boolean = true,
): void {
  const client = useQueryClient();
  const wanted = useRef({ isIt, queryKey });
  useEffect(() => {
    wanted.current = { isIt, queryKey };
  });
  useEffect(() => {
    if (!enabled) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      timer = undefined;
      void client.invalidateQueries({ queryKey: wanted.current.queryKey });
    };
    const stop = streamOf(ws).listen((told) => {
      if (wanted.current.isIt(told)) timer ??= setTimeout(ask, TOGETHER);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client, ws, enabled]);
}
