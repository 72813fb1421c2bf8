import { sentence } from '../api/problem';
import { LinkedText } from '../components/linked-text';
import { replacedInWords } from '../components/replaced-features';
import { absolute } from '../components/time';
import { errorMessage } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import { type Message, sideOf, wordsOf } from '../sandbox/messages';
import { ContactChanges } from './contact-changes';
import { Attachments } from './files/attachments';
import { MessageFields } from './message-fields';
import { Original } from './original';
import { SenderCheck } from './sender-check';
import classes from './thread.module.css';
import { minute } from './times';
import { reasonOf } from './told';

const t = texts('inbox');

interface Props {
  message: Message;
  /** Whether this is the last message of a group. It shows time and status. */
  last: boolean;
  who: string;
  /** The message that it answers, above it. */
  quote?: React.ReactNode;
  /** An action on the message, beside it. */
  action?: React.ReactNode;
  /** An action on the message, below its error. */
  children?: React.ReactNode;
}

/** A message. The contact's messages are at the left, ours at the right, notes are amber. */
export function Bubble({ message, last, who, quote, action, children }: Props) {
  const side = sideOf(message);
  const failed = message.status === 'failed' || message.status === 'uncertain';
  const answers = answersTo(message);
  const showsWords = message.text || message.attachments.length === 0;
  const sentAs = sentForm(message);
  const providerCode = providerCodeOf(message);
  return (
    <div className={classes.message} data-side={side} data-failed={failed || undefined}>
      {quote}
      <div className={classes.bubble} data-silent={!message.text && showsWords ? true : undefined}>
        {subjectOf(message) && <div className={classes.subject}>{subjectOf(message)}</div>}
        {showsWords && <LinkedText>{wordsOf(message)}</LinkedText>}
        <Attachments of={message.attachments} />
        <MessageFields message={message} />
        {action}
      </div>
      {message.quick_replies.length > 0 && (
        <ul className={classes.choices} aria-label={t('quickReplies')}>
          {message.quick_replies.map(({ title }) => (
            <li key={title}>{title}</li>
          ))}
        </ul>
      )}
      {sentAs && <div className={classes.facts}>{sentAs}</div>}
      <ContactChanges message={message} />
      {message.truncated && <div className={classes.facts}>{t('truncated')}</div>}
      <Original message={message} />
      {answers && <div className={classes.facts}>{t('answersTo', { address: answers })}</div>}
      {message.error && <div className={classes.why}>{sentence(errorMessage(message.error))}</div>}
      {providerCode && <div className={classes.facts}>{t('providerCode', { code: providerCode })}</div>}
      {failed && message.parts.length > 1 && <div className={classes.why}>{partsOf(message)}</div>}
      {children}
      {(last || isAutomatic(message)) && (
        <div className={classes.facts}>
          {side === 'note' ? `${t('noteBy', { name: who })}, ` : ''}
          <time dateTime={message.created_at} title={absolute(message.created_at)}>
            {minute(message.created_at)}
          </time>
          {side === 'service' && ` · ${who} · ${t(`statuses.${message.status}`)}`}
          {isAutomatic(message) && ` · ${t('automatic')}`}
          <SenderCheck message={message} />
        </div>
      )}
    </div>
  );
}

/** The features that the channel replaced, and the segments of an SMS. */
function sentForm({ degraded, segments }: Message): string {
  const counted = segments ? t('segments.count', { count: segments.count }) : '';
  return [replacedInWords(degraded), counted].filter((it) => it !== '').join(' · ');
}

/** The number of parts that were sent, and the part that was not. */
function partsOf({ parts, error }: Message): string {
  const sent = parts.filter((part) => part.status === 'sent').length;
  const counted = t('partsSent', { count: sent, total: parts.length });
  if (error?.part === undefined) return counted;
  const outcome = parts[error.part]?.status === 'uncertain' ? 'partUncertain' : 'partFailed';
  return `${counted} ${t(outcome, { number: error.part + 1 })}`;
}

/** The address of answers of members, if it is not the address of the contact. */
function answersTo(message: Message): string | undefined {
  // The generated types do not contain it yet.
  return (message as { answers_to?: string }).answers_to;
}

/** The provider's own code of the error. */
function providerCodeOf({ error }: Message): string | undefined {
  // The generated types do not contain it yet.
  return (error as { provider_code?: string } | null)?.provider_code;
}

/** Whether a program sent the message for the contact. */
function isAutomatic(message: Message): boolean {
  // The generated types do not contain `auto` yet.
  return (message as { auto?: boolean }).auto === true;
}

/** The subject, on channels with subjects. */
function subjectOf(message: Message): string | undefined {
  return (message as { subject?: string }).subject;
}

/** A line with the user who resolved the conversation, and the time. */
export function Resolved({ at, who }: { at: string; who: string | undefined }) {
  return (
    <div className={classes.event} title={absolute(at)}>
      <span>
        {who ? t('resolvedBy', { name: who }) : t('resolved')} · <time dateTime={at}>{minute(at)}</time>
      </span>
    </div>
  );
}

/** A message that was not sent, with the reason, in one line. */
export function Unsent({ message, who }: { message: Message; who: string }) {
  const said = wordsOf(message);
  const text = said.length > 60 ? `${said.slice(0, 59)}…` : said;
  const code = providerCodeOf(message);
  return (
    <div className={classes.event} title={absolute(message.created_at)}>
      <span>
        {t('notSent', { text, name: who, reason: reasonOf(message.error?.code) })}
        {code && ` · ${t('providerCode', { code })}`}{' '}
        <time dateTime={message.created_at}>· {minute(message.created_at)}</time>
      </span>
    </div>
  );
}
