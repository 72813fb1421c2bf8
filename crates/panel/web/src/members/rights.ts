import type { components } from '../api/schema';
import { texts } from '../i18n/texts';

const common = texts('common');

export type Role = components['schemas']['Role'];
export type Member = components['schemas']['Member'];

/** All roles, weakest first. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const satisfies Role[];

const power = (role: Role) => ROLES.indexOf(role);

/** Whether somebody may make a member of one role one of another: owners are the affair of owners. */
export function mayChange(actor: Role, from: Role | undefined, to: Role | undefined): boolean {
  const touchesOwner = from === 'owner' || to === 'owner';
  return power(actor) >= power(touchesOwner ? 'owner' : 'admin');
}

/** The roles that somebody may give to who has this one, or is asked in. */
export function rolesToGive(actor: Role, from?: Role): Role[] {
  return ROLES.filter((to) => mayChange(actor, from, to));
}

/** Whether somebody may take this place away. Everybody who gets this far may go by themselves. */
export function mayRemove(actor: Role, member: Member): boolean {
  return mayChange(actor, member.role, undefined);
}

/** People first, the powerful before the others, by name; then who is invited. */
export function arranged(members: Member[]): Member[] {
  const name = (it: Member) => it.name ?? it.email;
  return members.toSorted(
    (a, b) =>
      Number(a.status === 'invited') - Number(b.status === 'invited') ||
      power(b.role) - power(a.role) ||
      name(a).localeCompare(name(b)),
  );
}

/** Those whose name, address or role has each word of a text. */
export function matching(members: Member[], text: string): Member[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return members.filter((it) => {
    const said = `${it.name ?? ''} ${it.email} ${common(`roles.${it.role}`)}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

/** Whether somebody may make a link for another password of this member. Their own they change in their profile. */
export function mayReset(actor: Role, member: Member, self: string): boolean {
  return member.status === 'active' && member.id !== self && mayChange(actor, member.role, undefined);
}

/** The address that an invitation is taken at. */
export function joinLink(token: string, origin: string = window.location.origin): string {
  return `${origin}/join/${encodeURIComponent(token)}`;
}

/** The address at which another password is set: the service's own, where it knows it. */
export function resetLink(
  made: Pick<components['schemas']['ResetLinkView'], 'reset_token' | 'reset_url'>,
  origin: string = window.location.origin,
): string {
  return made.reset_url ?? `${origin}/reset/${encodeURIComponent(made.reset_token)}`;
}
