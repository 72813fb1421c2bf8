import { faultsByField, Problem } from '../api/problem';
import { texts } from '../i18n/texts';

const t = texts('members');

const coded = (error: unknown, code: string) => error instanceof Problem && error.code === code;

/** Why a role was not changed or a place not taken away, where there is more to say than the API does. */
export function toldOfMember(error: unknown): unknown {
  return coded(error, 'last_owner') ? new Error(t('lastOwner')) : error;
}

/** What is wrong with each field of an invitation. */
export function faultsOfInvitation(error: unknown): Record<string, string> {
  return coded(error, 'name_taken') ? { email: t('taken') } : faultsByField(error);
}
