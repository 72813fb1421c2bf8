import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { streamOf } from '../live/use-stream';
import { isAbout } from '../live/use-told';
import { getRows, type Row } from './api';
import { merged, unknown } from './merge';
import { filtersOf, type LogSearch, spanOf } from './search';
import { Turns } from './turns';
import { type LogPages, rowsKey } from './use-log';

/** The polling intervals in milliseconds, with and without a live stream. */
const SELDOM = 15_000;
const OFTEN = 5_000;
/**
 * The overlap of polls in milliseconds. A request is logged after its response, so a slow one appears after
 * newer ones.
 */
const LATE = 10_000;
const MOST_PAGES = 5;

interface Asked {
  on: boolean;
  /** Returns whether the user is reading rows that would move. */
  isReading: () => boolean;
}

/**
 * Adds new requests at the top of the list. While the user is reading, they are held back until `show` is
 * called.
 */
export function useLive(ws: string, search: LogSearch, { on, isReading }: Asked) {
  const client = useQueryClient();
  const [waiting, setWaiting] = useState<Row[]>([]);
  const [failing, setFailing] = useState(false);
  const held = useRef<Row[]>([]);
  const latest = useRef({ search, isReading });
  useEffect(() => {
    latest.current = { search, isReading };
  });
  const key = JSON.stringify(rowsKey(ws, search));

  const hold = useCallback((rows: Row[]) => {
    held.current = rows;
    setWaiting(rows);
  }, []);

  const show = useCallback(
    (rows: Row[] = held.current) => {
      if (rows.length > 0) {
        client.setQueryData<LogPages>(JSON.parse(key), (old) => putOnTop(old, rows));
      }
      if (held.current.length > 0) hold([]);
    },
    [client, key, hold],
  );

  useEffect(() => {
    if (!on) return;
    const listKey = JSON.parse(key) as unknown[];
    const abort = new AbortController();
    const began = Date.now();
    const stream = streamOf(ws);

    const ask = async () => {
      const pages = client.getQueryData<LogPages>(listKey);
      if (!pages || client.isFetching({ queryKey: listKey }) > 0) return false;
      const known = [...held.current, ...pages.pages.flatMap((page) => page.data)];
      const newest = Math.max(...known.map((it) => Date.parse(it.at)), 0) || began;
      const { rows, gap } = await since(ws, latest.current.search, newest - LATE, known, abort.signal);
      if (abort.signal.aborted) return true;
      if (gap && !latest.current.isReading()) {
        // There are more new requests than are read here, so start again with the newest page.
        client.setQueryData<LogPages>(listKey, (old) => old && firstPage(old));
        await client.refetchQueries({ queryKey: listKey, exact: true });
        hold([]);
      } else if (latest.current.isReading()) {
        if (rows.length > 0) hold(merged(rows, held.current));
      } else {
        show(merged(rows, held.current));
      }
      return true;
    };

    const turns = new Turns({ ask, rest: () => (stream.isLive ? SELDOM : OFTEN), failing: setFailing });
    const stopListening = stream.listen((told) => {
      if (isAbout(told, 'request')) turns.more();
    });
    // Request at once what the stream no longer reports.
    const stopWatching = stream.watch(() => {
      if (!stream.isLive) turns.more();
    });
    turns.look();
    document.addEventListener('visibilitychange', turns.look);
    return () => {
      abort.abort();
      turns.stop();
      stopWatching();
      stopListening();
      document.removeEventListener('visibilitychange', turns.look);
      setFailing(false);
      hold([]);
    };
  }, [on, ws, key, client, hold, show]);

  return { waiting: waiting.length, show, failing };
}

/** The new requests since a time. `gap` is set if not all of them could be read. */
async function since(ws: string, search: LogSearch, from: number, known: Row[], signal: AbortSignal) {
  const earliest = spanOf(search, Date.now()).from;
  const begin = new Date(Math.max(from, earliest ? Date.parse(earliest) : 0)).toISOString();
  let rows: Row[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const got = await getRows(ws, { ...filtersOf(search), from: begin, limit: 100, cursor }, signal);
    const fresh = unknown(got.data, known);
    rows = [...rows, ...fresh];
    cursor = got.next_cursor ?? undefined;
    // A known row means that the following rows are known too, except late ones of a busy moment.
    if (!cursor || fresh.length < got.data.length) return { rows, gap: false };
  }
  return { rows, gap: known.length > 0 };
}

function putOnTop(pages: LogPages | undefined, rows: Row[]): LogPages | undefined {
  const [first, ...rest] = pages?.pages ?? [];
  if (!pages || !first) return pages;
  return { ...pages, pages: [{ ...first, data: merged(rows, first.data) }, ...rest] };
}

function firstPage({ pages, pageParams }: LogPages): LogPages {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}
