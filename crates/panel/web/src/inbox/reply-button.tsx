import { ActionIcon } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { texts } from '../i18n/texts';
import type { Message } from '../sandbox/messages';
import classes from './thread.module.css';

const t = texts('inbox');

/** The statuses of messages that the contact has written or received. */
const KNOWN: Message['status'][] = ['received', 'sent', 'delivered', 'read'];

interface Props {
  message: Message;
  onReply: (message: Message) => void;
}

/** Selects a message as the one that the next reply answers. */
export function ReplyButton({ message, onReply }: Props) {
  const { role } = useWhere();
  const isKnown = KNOWN.includes(message.status) && !message.deleted_by_contact_at;
  if (!isKnown || !mayWrite(role)) return null;
  return (
    <span className={classes.reply}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('quote.reply')}
        title={t('quote.reply')}
        onClick={() => onReply(message)}
      >
        <IconArrowBackUp size={16} />
      </ActionIcon>
    </span>
  );
}
