import { texts } from '../i18n/texts';
import { type Message, wordsOf } from '../sandbox/messages';
import classes from './thread.module.css';

const t = texts('inbox');

/** Number of characters of the quoted text. */
const SHOWN = 80;

/** The message that another one answers, in one line. `loaded` are the messages of the thread on the page. */
export function Answered({ message, loaded }: { message: Message; loaded: Message[] }) {
  const id = message.reply_to;
  if (!id) return null;
  const answered = loaded.find((it) => it.id === id);
  return (
    <div className={classes.answered}>
      {answered ? t('answered', { text: quoteOf(answered) }) : t('answeredEarlier')}
    </div>
  );
}

/** The text of a message, shortened for a quote. */
export function quoteOf(message: Message): string {
  const words = wordsOf(message);
  return words.length > SHOWN ? `${words.slice(0, SHOWN - 1)}…` : words;
}
