import { Button } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { LinkedText } from '../components/linked-text';
import { RichText } from '../components/rich-text';
import { Failure, Waiting } from '../components/states';
import { texts } from '../i18n/texts';
import type { Message } from '../sandbox/messages';
import { useOriginal } from './messages-api';
import classes from './original.module.css';

const t = texts('inbox');

/** A button that shows the whole message of a contact, if its text leaves out a part. */
export function Original({ message }: { message: Message }) {
  const [shown, show] = useState(false);
  if (!message.has_original) return null;
  return (
    <>
      <Button variant="subtle" size="compact-xs" aria-expanded={shown} onClick={() => show(!shown)}>
        {t(shown ? 'hideOriginal' : 'showOriginal')}
      </Button>
      {shown && <Whole id={message.id} />}
    </>
  );
}

/** The formatted text of a message, or its whole text. */
function Whole({ id }: { id: string }) {
  const { workspace } = useWhere();
  const original = useOriginal(workspace.id, id);
  if (original.error) return <Failure error={original.error} retry={() => void original.refetch()} />;
  if (original.isPending) return <Waiting />;
  const { html, text_full } = original.data;
  return (
    <section className={classes.original} aria-label={t('original')} data-plain={html ? undefined : true}>
      {html ? <RichText>{html}</RichText> : <LinkedText>{text_full ?? ''}</LinkedText>}
    </section>
  );
}
