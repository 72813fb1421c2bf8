import { faultsByField, Problem } from '../api/problem';
import { en } from '../i18n/en';
import type { AcceptInvitation } from './api';

/** How long a password is at least. */
export const SHORTEST = 10;

/** What the form asks for, as it is sent; or what is wrong with it. */
export function requestOf(
  name: string,
  password: string,
): { body: AcceptInvitation } | { faults: Record<string, string> } {
  const lacking = SHORTEST - [...password].length;
  if (lacking > 0) return { faults: { password: en.login.tooShort(lacking) } };
  return { body: { name: name.trim(), password } };
}

/** Whether an invitation is not open any more: used, taken back, or too old. */
export function isGone(error: unknown): boolean {
  return error instanceof Problem && (error.status === 404 || error.status === 422);
}

/** What became of an attempt to join: what is wrong with each field, or a sentence. */
export function toldOfJoining(
  error: unknown,
  email: string,
): { faults: Record<string, string>; failure?: unknown } {
  if (!error) return { faults: {} };
  if (error instanceof Problem && error.code === 'name_taken') {
    return { faults: {}, failure: new Error(en.login.nameTaken(email)) };
  }
  const faults = faultsByField(error);
  return Object.keys(faults).length > 0 ? { faults } : { faults, failure: error };
}
