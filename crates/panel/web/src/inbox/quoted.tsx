import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { texts } from '../i18n/texts';
import type { Channel } from './api';
import classes from './quoted.module.css';

const t = texts('inbox');

/** The types of channels on which the contact does not see which message a reply answers. */
const WITHOUT_QUOTES = ['http', 'sandbox', 'sms'];

interface Props {
  /** The text of the answered message. */
  text: string;
  channel: Channel | undefined;
  /** Why the server refused it. */
  error: string | undefined;
  /** Whether the reply is being sent. */
  isSending: boolean;
  onRemove: () => void;
}

/** The message that the reply in the composer answers. */
export function Quoted({ text, channel, error, isSending, onRemove }: Props) {
  return (
    <div className={classes.quoted}>
      <div className={classes.words}>
        {t('quote.label', { text })}
        {channel && WITHOUT_QUOTES.includes(channel.kind) && <div>{t('quote.unseen')}</div>}
        {error && (
          <div className={classes.error} role="alert">
            {error}
          </div>
        )}
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('quote.remove')}
        disabled={isSending}
        onClick={onRemove}
      >
        <IconX size={14} />
      </ActionIcon>
    </div>
  );
}
