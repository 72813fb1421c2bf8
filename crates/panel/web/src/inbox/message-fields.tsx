import { Code } from '../components/code';
import { Details } from '../components/details';
import { texts } from '../i18n/texts';
import type { Message } from '../sandbox/messages';
import { fieldsOf, titleOf } from './message-data';
import classes from './message-fields.module.css';

const t = texts('inbox');

/** The fields of a contact card, a poll, an order or a form of the contact, and their JSON. */
export function MessageFields({ message }: { message: Message }) {
  // Messages in events of an earlier release have none.
  const data = message.data ?? null;
  if (data === null) return null;
  return (
    <details className={classes.fields}>
      <summary>{titleOf(data)}</summary>
      {fieldsOf(data).map((rows) => (
        <Details key={JSON.stringify(rows)} rows={rows} />
      ))}
      <details>
        <summary>{t('details')}</summary>
        <Code text={JSON.stringify(data, null, 2)} what={t('asJson')} />
      </details>
    </details>
  );
}
