import type { components } from '../api/schema';
import { texts } from '../i18n/texts';

const common = texts('common');

export type Role = components['schemas']['Role'];
export type Member = components['schemas']['Member'];

/** All roles, weakest first. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const satisfies Role[];

const power = (role: Role) => ROLES.indexOf(role);

/** Whether a role can change a member's role. Only owners can change owners or create new ones. */
export function mayChange(actor: Role, from: Role | undefined, to: Role | undefined): boolean {
  const touchesOwner = from === 'owner' || to === 'owner';
  return power(actor) >= power(touchesOwner ? 'owner' : 'admin');
}

/** The roles that a user can give to a member or an invited user. */
export function rolesToGive(actor: Role, from?: Role): Role[] {
  return ROLES.filter((to) => mayChange(actor, from, to));
}

/** Whether a user can remove a member. Users who reach this may also remove themselves. */
export function mayRemove(actor: Role, member: Member): boolean {
  return mayChange(actor, member.role, undefined);
}

/** Sorts members by role, strongest first, and then by name. Invitations are last. */
export function arranged(members: Member[]): Member[] {
  const name = (it: Member) => it.name ?? it.email;
  return members.toSorted(
    (a, b) =>
      Number(a.status === 'invited') - Number(b.status === 'invited') ||
      power(b.role) - power(a.role) ||
      name(a).localeCompare(name(b)),
  );
}

/** The text of a member that the filter of the list searches. */
export function said({ name, email, role }: Member): string {
  return `${name ?? ''} ${email} ${common(`roles.${role}`)}`;
}

/** Whether a user can create a reset link for a member. Users change their own password in their profile. */
export function mayReset(actor: Role, member: Member, self: string): boolean {
  return member.status === 'active' && member.id !== self && mayChange(actor, member.role, undefined);
}

/** The URL of an invitation. */
export function joinLink(token: string, origin: string = window.location.origin): string {
  return `${origin}/join/${encodeURIComponent(token)}`;
}

/** The URL of a reset link: the server's, if it knows its own address. */
export function resetLink(
  made: Pick<components['schemas']['ResetLinkView'], 'reset_token' | 'reset_url'>,
  origin: string = window.location.origin,
): string {
  return made.reset_url ?? `${origin}/reset/${encodeURIComponent(made.reset_token)}`;
}
