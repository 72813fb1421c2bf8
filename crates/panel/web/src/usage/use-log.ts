import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  type ErrorGroup,
  getErrorGroups,
  getHistogram,
  getNames,
  getRows,
  type Histogram,
  type Row,
  type Rows,
} from './api';
import { unique } from './merge';
import { filtersOf, type LogSearch, spanOf, wholeSpanOf } from './search';

const PAGE = 50;
/** The refresh interval of counts while the live tail is on, in milliseconds. */
const LIVE_FIGURES = 15_000;

/** A page of the log, and the start of the time range for the next one. */
interface LogPage extends Rows {
  from?: string;
}
interface NextPage {
  cursor: string;
  from?: string;
}
export type LogPages = InfiniteData<LogPage, NextPage | undefined>;

/** The query key of a list of requests. */
export function rowsKey(ws: string, search: LogSearch): unknown[] {
  const { last, from, to } = search;
  return ['usage', ws, 'rows', filtersOf(search), search.request_id ? null : { last, from, to }];
}

function figuresKey(ws: string, kind: string, search: LogSearch): unknown[] {
  const { last, from, to } = search;
  return ['usage', ws, kind, filtersOf(search), { last, from, to }];
}

/** Keeps old counts until the new ones arrive, but not the counts of another workspace. */
function ofSamePlace<T>(ws: string) {
  return (data: T | undefined, query?: { queryKey: readonly unknown[] }): T | undefined =>
    query?.queryKey[1] === ws ? data : undefined;
}

/** The requests that match the search parameters, in pages. */
export function useRows(ws: string, search: LogSearch) {
  return useInfiniteQuery<LogPage, Error, LogPages, unknown[], NextPage | undefined>({
    queryKey: rowsKey(ws, search),
    initialPageParam: undefined as NextPage | undefined,
    queryFn: async ({ pageParam, signal }): Promise<LogPage> => {
      const span = spanOf(search, Date.now());
      // Further pages use the time range of the first page.
      const from = pageParam ? pageParam.from : span.from;
      const query = { ...filtersOf(search), from, to: span.to, limit: PAGE, cursor: pageParam?.cursor };
      return { ...(await getRows(ws, query, signal)), from };
    },
    getNextPageParam: (page): NextPage | undefined =>
      page.next_cursor ? { cursor: page.next_cursor, from: page.from } : undefined,
    placeholderData: ofSamePlace<LogPages>(ws),
    // Rows must not move while the user reads.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** The rows of all pages without duplicates. */
export function rowsOf(pages: LogPages | undefined): Row[] {
  return unique(pages?.pages.flatMap((page) => page.data) ?? []);
}

/** The histogram of the requests. It is disabled for a single request. */
export function useHistogram(ws: string, search: LogSearch, live: boolean) {
  return useQuery<Histogram>({
    queryKey: figuresKey(ws, 'histogram', search),
    enabled: !search.request_id,
    queryFn: ({ signal }) =>
      getHistogram(ws, { ...filtersOf(search), ...wholeSpanOf(search, Date.now()) }, signal),
    placeholderData: ofSamePlace<Histogram>(ws),
    refetchInterval: live && LIVE_FIGURES,
    refetchOnWindowFocus: false,
  });
}

/** The errors of the time range, grouped by code and route. */
export function useErrorGroups(ws: string, search: LogSearch, live: boolean, enabled = true) {
  return useQuery<ErrorGroup[]>({
    queryKey: figuresKey(ws, 'errors', search),
    enabled: enabled && !search.request_id,
    queryFn: async ({ signal }) =>
      (await getErrorGroups(ws, { ...filtersOf(search), ...wholeSpanOf(search, Date.now()) }, signal)).data,
    placeholderData: ofSamePlace<ErrorGroup[]>(ws),
    refetchInterval: live && LIVE_FIGURES,
    refetchOnWindowFocus: false,
  });
}

/** Whether the log contains any request. */
export function useHasAny(ws: string, enabled: boolean) {
  return useQuery({
    queryKey: ['usage', ws, 'any'],
    enabled,
    queryFn: async ({ signal }) => (await getRows(ws, { limit: 1 }, signal)).data.length > 0,
  });
}

/** A request by its ID, or `null` if the log does not contain it. */
export function useRequest(ws: string, id: string, enabled: boolean) {
  return useQuery({
    queryKey: ['usage', ws, 'request', id],
    enabled,
    queryFn: async ({ signal }) => (await getRows(ws, { request_id: id, limit: 1 }, signal)).data[0] ?? null,
  });
}

export function useNames(ws: string, enabled = true) {
  return useQuery({
    enabled,
    queryKey: ['usage', ws, 'names'],
    queryFn: ({ signal }) => getNames(ws, signal),
    staleTime: 60_000,
  });
}
