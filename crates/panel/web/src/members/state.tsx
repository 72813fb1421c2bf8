import { usePresent } from '../components/clock';
import { Status } from '../components/status';
import { day } from '../components/time';
import { en } from '../i18n/en';
import type { Member } from './rights';

/** Whether somebody is there, or until when they may come. */
export function StateOf({ member }: { member: Member }) {
  const now = usePresent();
  if (member.status === 'active' || !member.expires_at) return <Status tone="ok">{en.members.active}</Status>;
  return Date.parse(member.expires_at) <= now ? (
    <Status tone="off">{en.members.invitationOver}</Status>
  ) : (
    <Status tone="wait">{en.members.invitedUntil(day(member.expires_at))}</Status>
  );
}
