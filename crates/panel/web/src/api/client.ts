import createClient, {
  type Client,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
  type MethodResponse,
} from 'openapi-fetch';
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

export type Raw = Client<paths>;
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Sends a request and returns the data of the response. Rejects with a {@link Problem} if the request failed. */
type Call<M extends Method> = <
  Path extends ClientPathsWithMethod<Raw, M>,
  Options extends MaybeOptionalInit<paths[Path], M>,
>(
  path: Path,
  ...options: Partial<Options> extends Options ? [Options?] : [Options]
) => Promise<MethodResponse<Raw, M, Path, Options>>;

/** An API client, typed by the OpenAPI document. */
type Api = { [M in Method as Uppercase<M>]: Call<M> } & {
  /** Returns the response with its data, and does not reject if the request failed. */
  raw: Raw;
};

interface Outcome<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

async function value<T>(asked: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await asked;
  if (!response.ok) throw problemOf(response, error);
  return data as T;
}

type Send = (path: string, options?: object) => Promise<Outcome<unknown>>;

function clientWith(headers?: Record<string, string>): Api {
  const raw = createClient<paths>({ baseUrl: window.location.origin, fetch: authorised, headers });
  const returnData =
    (send: unknown) =>
    (path: string, options?: object): Promise<unknown> =>
      value((send as Send)(path, options));
  const { GET, POST, PUT, PATCH, DELETE } = raw;
  const calls = {
    GET: returnData(GET),
    POST: returnData(POST),
    PUT: returnData(PUT),
    PATCH: returnData(PATCH),
    DELETE: returnData(DELETE),
  };
  return { ...calls, raw } as unknown as Api;
}

/** The API client of the platform. */
export const api = clientWith();

/** An API client that sends the workspace's header with each request. */
export function apiIn(workspace: string): Api {
  return clientWith({ 'X-Workspace-Id': workspace });
}
