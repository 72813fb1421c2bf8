import { api, value } from '../api/client';
import type { components } from '../api/schema';
import type { Filters, Span } from './search';

/** What was wrong with one part of a request. */
export interface RequestError {
  pointer?: string;
  parameter?: string;
  code: string;
}

/** One request to the API. */
export type Row = components['schemas']['ApiRequest'] & {
  error_code?: string | null;
  errors?: RequestError[];
};

export interface Rows {
  data: Row[];
  next_cursor?: string | null;
}

export type Interval = 'PT1M' | 'PT15M' | 'PT1H' | 'PT6H' | 'P1D';

/** How many requests there were, bucket by bucket; those without one are left out. */
export interface Histogram {
  from: string;
  to: string;
  interval: Interval;
  data: { at: string; requests: number; client_errors: number; server_errors: number }[];
}

/** Requests that were answered with the same problem on the same route. */
export interface ErrorGroup {
  error_code: string | null;
  status: number;
  method: string;
  route: string;
  requests: number;
  last_at: string;
}

type Query = Filters & Span & { limit?: number; cursor?: string };

/** Where the log of a workspace is. */
export function logPath(ws: string): string {
  return `/platform/workspaces/${ws}/usage`;
}

function get<T>(path: string, ws: string, query: Query, signal?: AbortSignal, parseAs?: 'blob'): Promise<T> {
  // The document does not know these answers yet.
  return value<T>(
    api.GET(path as never, { params: { path: { ws }, query }, signal, parseAs } as never) as never,
  );
}

/** A page of requests, newest first. */
export function getRows(ws: string, query: Query, signal?: AbortSignal): Promise<Rows> {
  return get('/platform/workspaces/{ws}/usage', ws, query, signal);
}

export function getHistogram(ws: string, query: Query, signal?: AbortSignal): Promise<Histogram> {
  return get('/platform/workspaces/{ws}/usage/histogram', ws, query, signal);
}

/** The errors of a span, the most frequent first. */
export function getErrorGroups(
  ws: string,
  query: Query,
  signal?: AbortSignal,
): Promise<{ data: ErrorGroup[] }> {
  return get('/platform/workspaces/{ws}/usage/errors', ws, query, signal);
}

export function getExport(ws: string, query: Query): Promise<Blob> {
  return get('/platform/workspaces/{ws}/usage/export', ws, query, undefined, 'blob');
}

/** The names of all keys and members. */
export async function getNames(ws: string, signal?: AbortSignal): Promise<Names> {
  const params = { path: { ws }, query: { limit: 100 } };
  const [keys, members] = await Promise.all([
    value(api.GET('/platform/workspaces/{ws}/api-keys', { params, signal })),
    value(api.GET('/platform/workspaces/{ws}/members', { params, signal })),
  ]);
  return {
    keys: keys.data.map(({ id, name, scope }) => ({ id, name, scope })),
    people: Object.fromEntries(members.data.map((it) => [it.id, it.name || it.email])),
  };
}

export interface Names {
  keys: { id: string; name: string; scope: string }[];
  people: Record<string, string>;
}
