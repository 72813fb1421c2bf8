import { api } from '../api/client';
import { everyPage } from '../api/pages';
import type { components } from '../api/schema';
import type { Filters, Span } from './search';

export type Row = components['schemas']['ApiRequest'];
export type Rows = Pick<components['schemas']['List_ApiRequest'], 'data' | 'next_cursor'>;
export type RequestError = Row['errors'][number];
/** The number of requests in each bucket. Buckets without requests are omitted. */
export type Histogram = components['schemas']['UsageHistogram'];
export type Interval = Histogram['interval'];
/** Requests with the same error on the same route. */
export type ErrorGroup = components['schemas']['UsageErrorGroup'];

type Query = Filters & Span & { limit?: number; cursor?: string };

export function logPath(ws: string): string {
  return `/platform/workspaces/${ws}/usage`;
}

/** A page of requests, newest first. */
export function getRows(ws: string, query: Query, signal?: AbortSignal): Promise<Rows> {
  return api.GET('/platform/workspaces/{ws}/usage', { params: { path: { ws }, query }, signal });
}

export function getHistogram(ws: string, query: Query, signal?: AbortSignal): Promise<Histogram> {
  return api.GET('/platform/workspaces/{ws}/usage/histogram', { params: { path: { ws }, query }, signal });
}

/** The errors of a time range, most frequent first. */
export function getErrorGroups(
  ws: string,
  query: Query,
  signal?: AbortSignal,
): Promise<{ data: ErrorGroup[] }> {
  return api.GET('/platform/workspaces/{ws}/usage/errors', { params: { path: { ws }, query }, signal });
}

export async function getExport(ws: string, query: Query): Promise<Blob> {
  const csv = await api.GET('/platform/workspaces/{ws}/usage/export', {
    params: { path: { ws }, query },
    parseAs: 'blob',
  });
  return csv as unknown as Blob;
}

/** The names of all API keys and members. */
export async function getNames(ws: string, signal?: AbortSignal): Promise<Names> {
  const of = (cursor?: string) => ({ params: { path: { ws }, query: { limit: 100, cursor } }, signal });
  const [keys, members] = await Promise.all([
    everyPage((cursor) => api.GET('/platform/workspaces/{ws}/api-keys', of(cursor)), ALL),
    everyPage((cursor) => api.GET('/platform/workspaces/{ws}/members', of(cursor)), ALL),
  ]);
  return {
    keys: keys.map(({ id, name, scope }) => ({ id, name, scope })),
    people: Object.fromEntries(members.map((it) => [it.id, it.name || it.email])),
  };
}

const ALL = Number.POSITIVE_INFINITY;

export interface Names {
  keys: { id: string; name: string; scope: string }[];
  people: Record<string, string>;
}
