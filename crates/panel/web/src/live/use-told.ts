import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Told } from './blocks';
import { streamOf } from './use-stream';

/** The milliseconds within which events cause one refresh. */
const TOGETHER = 500;

type Changed = { changed: { type: string; id: string | null } };

/** Whether all data must be refreshed: events may have been missed, or a sandbox was reset. */
export function isAll({ event, data }: Told): boolean {
  if (event !== 'changed') return event === 'ready';
  const { changed } = data as Changed;
  return changed.type === 'workspace' && changed.id === null;
}

/** Whether an event is about objects of a type: a change hint, or an event type with this prefix. */
export function isAbout(told: Told, type: string): boolean {
  if (isAll(told)) return true;
  if (told.event === 'changed') return (told.data as Changed).changed.type === type;
  return told.event.startsWith(`${type}.`);
}

/** Whether an event belongs to the feed. After a gap, the feed must also be refreshed. */
export function isEvent(told: Told): boolean {
  return isAll(told) || (told.event !== 'changed' && told.event !== 'end');
}

/** Refreshes a query after matching events of the live stream. */
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
