import { texts } from '../i18n/texts';
import { type Message, wordsOf } from '../sandbox/messages';
import classes from './thread.module.css';

const t = texts('inbox');

/** Number of characters of the quoted text. */
const SHOWN = 80;

/** The message that another one answers, in one line. `loaded` are the messages of the thread on the page. */
export function Answered({ message, loaded }: { message: Message; loaded: Message[] }) {
  // The generated types do not contain it yet.
  const id = (message as { reply_to?: string | null }).reply_to;
  if (!id) return null;
  const answered = loaded.find((it) => it.id === id);
  const words = answered && wordsOf(answered);
  const text = words && words.length > SHOWN ? `${words.slice(0, SHOWN - 1)}…` : words;
  return <div className={classes.answered}>{text ? t('answered', { text }) : t('answeredEarlier')}</div>;
}
