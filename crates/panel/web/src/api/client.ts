import createClient from 'openapi-fetch';
import { session } from '../app/session';
import { noteReachable } from './connection';
import { problemOf, Unreachable } from './problem';
import type { paths } from './schema';
import { noteDeletion } from './workspace-deleted';

/**
 * Sends a request as the signed-in user. If the server rejects the access token, renews it and sends the
 * request once more.
 */
async function authorised(request: Request): Promise<Response> {
  const token = await session.accessToken();
  const first = await send(request, token);
  if (first.status !== 401 || token === undefined || !(await session.renew(token))) return first;
  return send(request, await session.accessToken());
}

async function send(request: Request, token: string | undefined): Promise<Response> {
  const attempt = request.clone();
  if (token) attempt.headers.set('Authorization', `Bearer ${token}`);
  try {
    const response = await fetch(attempt);
    noteReachable(true);
    void noteDeletion(response);
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    noteReachable(false);
    throw new Unreachable(error);
  }
}

/** The API client, typed by the OpenAPI document. */
export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: authorised });

interface Outcome<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Returns the response's data. Rejects with a {@link Problem} if the request failed. */
export async function value<T>(asked: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await asked;
  if (!response.ok) throw problemOf(response, error);
  return data as T;
}

/** An API client that sends the workspace's header with each request. */
export function apiIn(workspace: string) {
  return createClient<paths>({
    baseUrl: window.location.origin,
    fetch: authorised,
    headers: { 'X-Workspace-Id': workspace },
  });
}
