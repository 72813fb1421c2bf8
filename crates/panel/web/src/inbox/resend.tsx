import { Button } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Confirm } from '../components/confirm';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import type { Message } from '../sandbox/messages';
import { useResend } from './messages-api';
import classes from './thread.module.css';
import type { Conversation } from './views';

const t = texts('inbox');

/** Whether the server accepts that the message is sent again. A text with a template error was never rendered. */
function isResendable({ direction, status, error }: Message): boolean {
  const failed = status === 'failed' || status === 'uncertain';
  return direction === 'outbound' && failed && error?.code !== 'template_error';
}

/** Sends a failed message again, and an uncertain one after a confirmation, because it may arrive twice. */
export function Resend({ conversation, message }: { conversation: Conversation; message: Message }) {
  const { workspace, role } = useWhere();
  const [asking, ask] = useState(false);
  const resend = useResend(workspace.id, conversation);
  if (message.resent_as) return <div className={classes.facts}>{t('resend.done')}</div>;
  if (!isResendable(message) || !mayWrite(role)) return null;
  const isUncertain = message.status === 'uncertain';
  return (
    <>
      {resend.error && !isUncertain && <Failure error={resend.error} />}
      <Button
        variant="subtle"
        size="compact-xs"
        loading={resend.isPending}
        onClick={() => (isUncertain ? ask(true) : resend.mutate(message))}
      >
        {t('sendAgain')}
      </Button>
      {isUncertain && (
        <Confirm
          title={t('resend.title')}
          verb={t('sendAgain')}
          opened={asking}
          pending={resend.isPending}
          error={resend.error}
          onClose={() => ask(false)}
          onConfirm={() => resend.mutate(message, { onSuccess: () => ask(false) })}
        >
          {t('resend.hint')}
        </Confirm>
      )}
    </>
  );
}
