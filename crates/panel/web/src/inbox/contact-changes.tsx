import { texts } from '../i18n/texts';
import type { Message } from '../sandbox/messages';
import classes from './contact-changes.module.css';
import { dayAndMinute } from './times';

const t = texts('inbox');

/**
 * The origin of a message, whether it chose a quick reply, the contact's reactions, and the earlier texts if the contact
 * edited it.
 */
export function ContactChanges({ message }: { message: Message }) {
  // Messages in events of an earlier release have none of these.
  const { referral, choice, reactions = [], edits = [], edited_at } = message;
  return (
    <>
      {referral && (
        <div className={classes.fact}>
          {t.find('referrals', referral.source) ?? t('referral')}
          {(referral.headline ?? referral.ref) && ` · ${referral.headline ?? referral.ref}`}
        </div>
      )}
      {choice && <div className={classes.fact}>{t('chosen')}</div>}
      {reactions.length > 0 && (
        <ul className={classes.reactions} aria-label={t('reactions')}>
          {reactions.map(({ emoji, at }) => (
            <li key={emoji}>
              {emoji} <At at={at} />
            </li>
          ))}
        </ul>
      )}
      {edited_at && (
        <details className={classes.fact}>
          <summary>
            {t('edited')} <At at={edited_at} />
          </summary>
          <ol className={classes.earlier} aria-label={t('earlierTexts')}>
            {edits.map(({ text, at }) => (
              <li key={`${at} ${text}`}>
                {text ?? t('noWords')} <At at={at} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

function At({ at }: { at: string }) {
  return (
    <time className={classes.at} dateTime={at}>
      {dayAndMinute(at)}
    </time>
  );
}
