import { usePresent } from '../components/clock';
import { Status } from '../components/status';
import { day } from '../components/time';
import { texts } from '../i18n/texts';
import type { Member } from './rights';

const t = texts('members');

/** Whether a member is active, or when the invitation expires. */
export function StateOf({ member }: { member: Member }) {
  const now = usePresent();
  if (member.status === 'active' || !member.expires_at) return <Status tone="ok">{t('active')}</Status>;
  return Date.parse(member.expires_at) <= now ? (
    <Status tone="off">{t('invitationExpired')}</Status>
  ) : (
    <Status tone="wait">{t('invitedUntil', { date: day(member.expires_at) })}</Status>
  );
}
