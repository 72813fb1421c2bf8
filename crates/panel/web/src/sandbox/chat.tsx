import { useEffect, useRef } from 'react';
import { sentence } from '../api/problem';
import { QuickReplies } from '../components/chat-composer';
import { LinkedText } from '../components/linked-text';
import { Waiting } from '../components/states';
import { errorMessage } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import { LAST } from './api';
import classes from './chat.module.css';
import { choicesOf, type Message, senderOf, sideOf, statusOf, wordsOf } from './messages';
import { absolute, clock } from './times';

const t = texts('sandbox');

interface Props {
  waiting: boolean;
  messages: Message[];
  /** Whether there are earlier messages, which are not shown. */
  more: boolean;
  /** The text of a message that is being sent. */
  pending: string | undefined;
  empty: string;
  /** Sends one of the quick replies of a message. */
  choose: (answer: string) => void;
}

/** A conversation as the contact sees it on a phone. */
export function Chat({ waiting, messages, more, pending, empty, choose }: Props) {
  const log = useFollowing(messages.length, pending);
  const choices = pending === undefined ? choicesOf(messages) : [];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
    <div ref={log} className={classes.log} role="log" aria-label={t('conversation')} tabIndex={0}>
      {more && <p className={classes.hint}>{t('earlier', { count: LAST })}</p>}
      {messages.length === 0 &&
        pending === undefined &&
        (waiting ? <Waiting lines={3} /> : <p className={classes.empty}>{empty}</p>)}
      {messages.map((message) => (
        <Bubble key={message.id} message={message} />
      ))}
      {pending !== undefined && (
        <div className={classes.line} data-side="contact">
          <p className={classes.bubble}>{pending}</p>
          <div className={classes.caption}>{t('sending')}</div>
        </div>
      )}
      <QuickReplies choices={choices} choose={choose} />
    </div>
  );
}

function Bubble({ message }: { message: Message }) {
  const side = sideOf(message);
  return (
    <div className={classes.line} data-side={side}>
      <p className={classes.bubble} data-silent={message.text ? undefined : true}>
        <LinkedText>{wordsOf(message)}</LinkedText>
      </p>
      {message.error && <div className={classes.why}>{sentence(errorMessage(message.error))}</div>}
      <div className={classes.caption}>
        <time dateTime={message.created_at} title={absolute(message.created_at)}>
          {clock(message.created_at)}
        </time>
        {side === 'note' && ` · ${t('noteForMembers')}`}
        {side === 'service' && ` · ${senderOf(message)} · ${statusOf(message.status)}`}
      </div>
    </div>
  );
}

/** Scrolls a list to its end when it grows, unless the user has scrolled up. */
function useFollowing(length: number, pending: string | undefined) {
  const log = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    const box = log.current;
    if (!box) return;
    const note = () => {
      atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 48;
    };
    box.addEventListener('scroll', note, { passive: true });
    return () => box.removeEventListener('scroll', note);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message moves it
  useEffect(() => {
    if (atEnd.current || pending !== undefined) log.current?.scrollTo?.(0, log.current.scrollHeight);
  }, [length, pending]);
  return log;
}
