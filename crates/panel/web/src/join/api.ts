import { ask, send } from '../account/ask';
import { type Told, toldOf } from '../account/told';
import { Problem } from '../api/problem';
import type { components } from '../api/schema';
import { en } from '../i18n/en';

export type Invitation = components['schemas']['InvitationView'];
export type AcceptInvitation = components['schemas']['AcceptInvitation'];

const pathOf = (token: string) => `/auth/invitations/${encodeURIComponent(token)}`;

/** Reads an invitation. */
export function readInvitation(token: string, signal?: AbortSignal): Promise<Invitation> {
  return ask(pathOf(token), { signal });
}

/** Takes an invitation: makes the account, which may sign in then. */
export function acceptInvitation(token: string, body: AcceptInvitation): Promise<void> {
  return send(pathOf(token), body);
}

/** What became of an attempt to join: an address that has an account by now is told what to do. */
export function toldOfJoining(error: unknown, email: string): Told {
  const isTaken = error instanceof Problem && error.code === 'name_taken';
  return isTaken ? { faults: {}, failure: new Error(en.login.nameTaken(email)) } : toldOf(error);
}
