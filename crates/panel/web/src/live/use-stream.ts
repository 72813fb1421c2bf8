import { useSyncExternalStore } from 'react';
import { apiIn } from '../api/client';
import { problemOf } from '../api/problem';
import { WORKSPACE_DELETED } from '../api/workspace-deleted';
import { WorkspaceStream } from './stream';

const streams = new Map<string, WorkspaceStream>();

export function streamOf(ws: string): WorkspaceStream {
  const known = streams.get(ws);
  if (known) return known;
  const made = new WorkspaceStream(async (last, signal) => {
    const headers = last ? { 'Last-Event-ID': last } : {};
    const { response, data, error } = await apiIn(ws).raw.GET('/api/v1/stream', {
      headers,
      signal,
      parseAs: 'stream',
    });
    if (response.ok) return new Response(data as ReadableStream<Uint8Array>);
    const problem = problemOf(response, error);
    // Otherwise the status 410 means that old events are missing, and the stream is opened again at once.
    if (problem.code === WORKSPACE_DELETED) throw problem;
    return response;
  });
  streams.set(ws, made);
  return made;
}

/** Whether the stream reports all changes. Polling can then be rare. */
export function useIsLive(ws: string): boolean {
  const stream = streamOf(ws);
  return useSyncExternalStore(stream.watch, () => stream.isLive);
}
