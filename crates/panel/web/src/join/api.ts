import { problemOf, Unreachable } from '../api/problem';
import type { components } from '../api/schema';

export type Invitation = components['schemas']['InvitationView'];
export type AcceptInvitation = components['schemas']['AcceptInvitation'];

/** Reads an invitation. Its token is all that it takes: nobody is signed in. */
export function readInvitation(token: string, signal?: AbortSignal): Promise<Invitation> {
  return ask(token, { signal });
}

/** Takes an invitation: makes the account, which may sign in then. */
export async function acceptInvitation(token: string, body: AcceptInvitation): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await ask(token, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function ask<T>(token: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/auth/invitations/${encodeURIComponent(token)}`, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unreachable(error);
  }
  const told: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw problemOf(response, told);
  return told as T;
}
