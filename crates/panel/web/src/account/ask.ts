import { problemOf, Unreachable } from '../api/problem';

/** Sends a request without an access token. The token in the path is enough. */
export async function ask<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unreachable(error);
  }
  const told: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw problemOf(response, told);
  return told as T;
}

/** Sends a POST request with a JSON body, without an access token. */
export async function send(path: string, body: unknown): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
}
