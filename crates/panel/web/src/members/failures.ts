import { faultsByField, Problem } from '../api/problem';
import { texts } from '../i18n/texts';

const t = texts('members');

const coded = (error: unknown, code: string) => error instanceof Problem && error.code === code;

/** Describes an error when a role is changed or a member is removed, if the API's message is not enough. */
export function toldOfMember(error: unknown): unknown {
  return coded(error, 'last_owner') ? new Error(t('lastOwner')) : error;
}

/** The message for each invalid field of an invitation. */
export function faultsOfInvitation(error: unknown): Record<string, string> {
  return coded(error, 'name_taken') ? { email: t('taken') } : faultsByField(error);
}
