import { Link } from '@tanstack/react-router';
import { texts } from '../i18n/texts';
import type { Message } from '../sandbox/messages';

const t = texts('inbox');

/** A warning if the sender of a mail did not pass the check, and a hint if the channel does not check senders. */
export function SenderCheck({ message }: { message: Message }) {
  if (message.direction !== 'inbound') return null;
  if (message.sender_verified === false) return ` · ${t('unverified')}`;
  // Messages in events of an earlier release do not have it.
  if (message.sender_verified !== null) return null;
  return (
    <>
      {' · '}
      <Link to="/channels" search={{ channel: message.channel_id }} title={t('uncheckedHint')}>
        {t('unchecked')}
      </Link>
    </>
  );
}
