import { ask, send } from '../account/ask';
import type { components } from '../api/schema';

export type OpenResetLink = components['schemas']['OpenResetLink'];

const pathOf = (token: string) => `/auth/reset-links/${encodeURIComponent(token)}`;

/** Reads whose password a link sets. */
export function readLink(token: string, signal?: AbortSignal): Promise<OpenResetLink> {
  return ask(pathOf(token), { signal });
}

/** Sets the password; the link is used up, and all sessions of the person end. */
export function setPassword(token: string, password: string): Promise<void> {
  return send(pathOf(token), { password });
}
