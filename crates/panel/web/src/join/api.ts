import { ask, send } from '../account/ask';
import { type Told, toldOf } from '../account/told';
import { api } from '../api/client';
import { Problem } from '../api/problem';
import type { components } from '../api/schema';
import { texts } from '../i18n/texts';

const t = texts('login');

export type Invitation = components['schemas']['InvitationView'];
type AcceptInvitation = components['schemas']['AcceptInvitation'];

const pathOf = (token: string) => `/auth/invitations/${encodeURIComponent(token)}`;

export function readInvitation(token: string, signal?: AbortSignal): Promise<Invitation> {
  return ask(pathOf(token), { signal });
}

/** Accepts an invitation and creates an account, which can then sign in. */
export function acceptInvitation(token: string, body: { name: string; password: string }): Promise<void> {
  return send(pathOf(token), body);
}

/** Accepts an invitation as the signed-in user. */
export async function acceptSignedIn(token: string, password: string): Promise<void> {
  const body = { current_password: password } as unknown as AcceptInvitation;
  await api.POST('/auth/invitations/{token}', { params: { path: { token } }, body });
}

/**
 * Describes an error when an invitation is accepted. If the email address already has an account, the message
 * asks the user to sign in.
 */
export function toldOfJoining(error: unknown, email: string): Told {
  const isTaken = error instanceof Problem && error.code === 'sign_in_required';
  return isTaken ? { faults: {}, failure: new Error(t('signInRequired', { email })) } : toldOf(error);
}
