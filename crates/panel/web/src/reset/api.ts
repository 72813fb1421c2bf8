import { ask, send } from '../account/ask';
import type { components } from '../api/schema';

export type OpenResetLink = components['schemas']['OpenResetLink'];

const pathOf = (token: string) => `/auth/reset-links/${encodeURIComponent(token)}`;

export function readLink(token: string, signal?: AbortSignal): Promise<OpenResetLink> {
  return ask(pathOf(token), { signal });
}

/** Sets the password. This uses up the link and ends all sessions of the user. */
export function setPassword(token: string, password: string): Promise<void> {
  return send(pathOf(token), { password });
}
