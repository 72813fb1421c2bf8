import { broadcasts as words } from '../i18n/en/broadcasts';
import classes from './broadcasts.module.css';
import type { Said } from './draft';

/** A message as a contact sees it, or its template. */
export function Words({ message }: { message: Said }) {
  return (
    <div>
      <div className={classes.bubble}>{message.text ?? words.otherMessage(message.type)}</div>
      {message.quick_replies && message.quick_replies.length > 0 && (
        <ul className={classes.choices} aria-label={words.quickReplies}>
          {message.quick_replies.map(({ title }) => (
            <li key={title}>{title}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
