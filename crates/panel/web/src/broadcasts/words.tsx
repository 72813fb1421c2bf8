import { shownOf } from '../attachments/attached';
import { texts } from '../i18n/texts';
import { Attachments } from '../inbox/files/attachments';
import classes from './broadcasts.module.css';
import type { Said } from './draft';

const t = texts('broadcasts');

/** A message as a contact sees it, or its template. */
export function Words({ message }: { message: Said }) {
  const files = message.attachments ?? [];
  return (
    <div>
      {(message.text || files.length === 0) && (
        <div className={classes.bubble}>{message.text ?? t('otherMessage', { type: message.type })}</div>
      )}
      <Attachments of={files.map(shownOf)} />
      {message.quick_replies && message.quick_replies.length > 0 && (
        <ul className={classes.choices} aria-label={t('quickReplies')}>
          {message.quick_replies.map(({ title }) => (
            <li key={title}>{title}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The hint for the message's text, with an example of a template. */
export const messageHint = () =>
  t('messageHint', { example: `{{ contact.first_name | default("${t('defaultName')}") }}` });

/** The label of the option for the default channel, with the channel's name if it is known. */
export const defaultChannelName = (name: string | undefined) =>
  name === undefined ? t('defaultChannel') : t('defaultChannelNamed', { name });
