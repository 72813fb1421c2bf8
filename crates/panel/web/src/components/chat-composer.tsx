import { ActionIcon, Button, Textarea } from '@mantine/core';
import { IconSend2 } from '@tabler/icons-react';
import { texts } from '../i18n/texts';
import classes from './chat-composer.module.css';
import { SubmitForm } from './submit-form';

const common = texts('common');

interface Props {
  className: string | undefined;
  text: string;
  setText: (text: string) => void;
  placeholder: string;
  maxRows: number;
  error: string | undefined;
  disabled: boolean;
  send: () => void;
}

/** A field for a message from the contact. Enter sends it, Shift+Enter adds a line. */
export function ChatComposer(props: Props) {
  const { className = '', text, setText, placeholder, maxRows, error, disabled, send } = props;
  return (
    <SubmitForm className={`${classes.composer} ${className}`} onSubmit={send}>
      <Textarea
        className={classes.text}
        aria-label={common('contactMessage')}
        placeholder={placeholder}
        autosize
        minRows={1}
        maxRows={maxRows}
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
      <ActionIcon type="submit" size={34} aria-label={common('send')} disabled={disabled || !text.trim()}>
        <IconSend2 size={18} />
      </ActionIcon>
    </SubmitForm>
  );
}

interface RepliesProps {
  choices: string[];
  choose: (answer: string) => void;
}

/** Buttons for the quick replies of the last message. */
export function QuickReplies({ choices, choose }: RepliesProps) {
  if (choices.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: quick replies are no form fields
    <div className={classes.choices} role="group" aria-label={common('quickReplies')}>
      {choices.map((answer) => (
        <Button key={answer} size="xs" variant="default" radius="xl" onClick={() => choose(answer)}>
          {answer}
        </Button>
      ))}
    </div>
  );
}
