import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Told } from './blocks';
import { streamOf } from './use-stream';

/** What comes within so many milliseconds is asked for once. */
const TOGETHER = 500;

/** Whether something told is about objects of a type: a hint, or an event whose kind begins so. */
export function isAbout({ event, data }: Told, type: string): boolean {
  if (event === 'ready') return true;
  if (event === 'changed') return (data as { changed: { type: string } }).changed.type === type;
  return event.startsWith(`${type}.`);
}

/** Whether something told is an event of the feed; after `ready` it is read anew, too. */
export function isEvent({ event }: Told): boolean {
  return event !== 'changed' && event !== 'end';
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
