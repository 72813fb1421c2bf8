import { faultsByField, Problem } from '../api/problem';
import { texts } from '../i18n/texts';

const t = texts('settings');

/** The message for each invalid field of the password form. */
export function faultsOfPassword(error: unknown): Record<string, string> {
  const faults = faultsByField(error);
  const wrong =
    error instanceof Problem && error.faults.some((it) => it.code === 'wrong_password' && it.pointer);
  return wrong ? { ...faults, current_password: t('profile.wrong') } : faults;
}

/** Describes an error that belongs to no field. */
export function toldOfPassword(error: unknown): unknown {
  return error instanceof Problem && error.status === 429
    ? new Error(throttled(error.retryAfter ?? 60))
    : error;
}

function throttled(seconds: number): string {
  return seconds < 90
    ? t('throttledSeconds', { count: seconds })
    : t('throttledMinutes', { count: Math.ceil(seconds / 60) });
}
