import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { useChannels } from '../conditions/use-fields';
import { texts } from '../i18n/texts';
import { type Contact, useAct } from './api';
import classes from './contact.module.css';
import { why } from './told';

const t = texts('contact');

/** Sends a message to a contact. It shows before and after whether the message can be sent. */
export function SendForm({ contact, onDone }: { contact: Contact; onDone: () => void }) {
  const { workspace } = useWhere();
  const channels = useChannels().data ?? [];
  const send = useAct(workspace.id, contact.id);
  const [text, setText] = useState('');
  const [channel, setChannel] = useState<string | null>(null);
  const faults = faultsByField(send.error);
  const reached = channels.filter(({ id }) => contact.identities.some((it) => it.channel_id === id));
  const obstacle = contact.status === 'blocked' ? 'blocked' : contact.subscribed ? undefined : 'unsubscribed';
  const sent = send.data as { status?: string; error?: { code?: string } | null } | undefined;
  if (sent) {
    return (
      <div role="status">
        <Text>
          {sent.status === 'suppressed'
            ? t('suppressed', { reason: why(sent.error?.code ?? '') })
            : t('queued')}
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button onClick={onDone}>{t('close')}</Button>
        </Group>
      </div>
    );
  }
  return (
    <SubmitForm onSubmit={() => send.mutate({ do: 'send', text, channel_id: channel ?? undefined })}>
      <Stack gap="md">
        {obstacle && <p className={classes.note}>{t('willNotSend', { reason: why(obstacle) })}</p>}
        <Textarea
          label={t('text')}
          data-autofocus
          autosize
          minRows={3}
          maxRows={12}
          maxLength={4096}
          value={text}
          error={faults.text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Select
          label={t('channel')}
          placeholder={t('usualChannel')}
          clearable
          data={reached.map(({ id, name }) => ({ value: id, label: name }))}
          value={channel}
          error={faults.channel_id}
          onChange={setChannel}
        />
        {send.error && Object.keys(faults).length === 0 && <Failure error={send.error} />}
        <FormButtons onCancel={onDone} loading={send.isPending} disabled={!text.trim()}>
          {t('sendVerb')}
        </FormButtons>
      </Stack>
    </SubmitForm>
  );
}
