import { faultsByField, Problem } from '../api/problem';
import { en } from '../i18n/en';

/** What is wrong with each field of the form that changes the password. */
export function faultsOfPassword(error: unknown): Record<string, string> {
  const faults = faultsByField(error);
  const wrong =
    error instanceof Problem && error.faults.some((it) => it.code === 'wrong_password' && it.pointer);
  return wrong ? { ...faults, current_password: en.profile.wrong } : faults;
}

/** A failure that no field has, as one tells it. */
export function toldOfPassword(error: unknown): unknown {
  return error instanceof Problem && error.status === 429
    ? new Error(en.profile.throttled(error.retryAfter ?? 60))
    : error;
}
