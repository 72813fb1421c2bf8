import { IconClock } from '@tabler/icons-react';
import { useNow } from '../components/clock';
import { absolute } from '../components/time';
import { texts } from '../i18n/texts';
import type { Channel } from './api';
import classes from './composer.module.css';
import { span } from './times';
import type { Conversation } from './views';

const t = texts('inbox');

/** The types of channels that accept replies for a limited time after a message of the contact. */
const LIMITED = ['whatsapp'];

const MINUTE = 60_000;

interface Props {
  conversation: Conversation;
  channel: Channel | undefined;
  /** Whether a template is sent instead after the window. */
  hasFallback: boolean;
}

/** The time that is left for a reply, or a notice that a reply would not be sent. */
export function ReplyWindow({ conversation, channel, hasFallback }: Props) {
  const now = useNow();
  const end = conversation.window_expires_at;
  if (!channel || (!end && !LIMITED.includes(channel.kind))) return null;
  if (!end || Date.parse(end) <= now) {
    return (
      <div className={classes.notice} role="status">
        <IconClock size={16} aria-hidden />
        {t(hasFallback ? 'window.fallback' : 'window.closed')}
      </div>
    );
  }
  // The text begins at the current time and ends at the end of the window.
  const left = span(new Date(now).toISOString(), Date.parse(end));
  return (
    <div className={classes.hint} title={absolute(end)}>
      {Date.parse(end) - now < MINUTE ? t('window.ending') : t('window.open', { span: left })}
    </div>
  );
}
