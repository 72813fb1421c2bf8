import { ActionIcon, Textarea } from '@mantine/core';
import { IconSend2 } from '@tabler/icons-react';
import { SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import classes from './play.module.css';

const t = texts('sandbox');

interface Props {
  text: string;
  setText: (text: string) => void;
  placeholder: string;
  error: string | undefined;
  disabled: boolean;
  send: () => void;
}

/** A field for a message from the contact. Enter sends it, Shift+Enter adds a line. */
export function Composer({ text, setText, placeholder, error, disabled, send }: Props) {
  return (
    <SubmitForm className={classes.composer} onSubmit={send}>
      <Textarea
        className={classes.text}
        aria-label={t('contactMessage')}
        placeholder={placeholder}
        autosize
        minRows={1}
        maxRows={5}
        maxLength={4096}
        error={error}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <ActionIcon type="submit" size={34} aria-label={t('send')} disabled={disabled || !text.trim()}>
        <IconSend2 size={18} />
      </ActionIcon>
    </SubmitForm>
  );
}
