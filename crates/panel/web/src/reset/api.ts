import { problemOf, Unreachable } from '../api/problem';
import type { components } from '../api/schema';

export type OpenResetLink = components['schemas']['OpenResetLink'];

/** Reads whose password a link sets. Its token is all that it takes: nobody is signed in. */
export function readLink(token: string, signal?: AbortSignal): Promise<OpenResetLink> {
  return ask(token, { signal });
}

/** Sets the password; the link is used up, and all sessions of the person end. */
export async function setPassword(token: string, password: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await ask(token, { method: 'POST', headers, body: JSON.stringify({ password }) });
}

async function ask<T>(token: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/auth/reset-links/${encodeURIComponent(token)}`, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unreachable(error);
  }
  const told: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw problemOf(response, told);
  return told as T;
}
