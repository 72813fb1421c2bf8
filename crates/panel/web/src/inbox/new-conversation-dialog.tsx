import { Select, Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { apiIn } from '../api/client';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { GuardedModal } from '../components/guarded';
import { Failure } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { foundContacts } from '../contacts/found';
import { texts } from '../i18n/texts';
import { refreshLists } from '../live/conversations';
import type { Message } from '../sandbox/messages';
import { type Channel, useChannels } from './api';
import { type Contact, nameOf } from './people';
import { reasonOf } from './told';

const t = texts('inbox');

/**
 * A dialog that sends a message to a contact. The message starts a conversation, or continues the one on the
 * same channel.
 */
export function NewConversationDialog({ onClose }: { onClose: () => void }) {
  return (
    <GuardedModal opened onClose={onClose} title={t('start.title')}>
      <Form onClose={onClose} />
    </GuardedModal>
  );
}

function Form({ onClose }: { onClose: () => void }) {
  const { workspace } = useWhere();
  const navigate = useNavigate();
  const [contact, setContact] = useState<Contact>();
  const [channel, setChannel] = useState<string | null>(null);
  const [text, setText] = useState('');
  const channels = reachable(useChannels(workspace.id), contact);
  const send = useSend(workspace.id);
  const faults = faultsByField(send.error);
  const unsent = send.data?.conversation_id ? undefined : send.data;
  const submit = () => {
    if (!contact || !text.trim() || send.isPending) return;
    const message = { contact: contact.id, text: text.trim(), channel_id: channel ?? undefined };
    send.mutate(message, {
      onSuccess: ({ conversation_id }) => {
        if (!conversation_id) return;
        onClose();
        void navigate({
          to: '/inbox/{-$conversation}',
          params: { conversation: conversation_id },
          search: (it: object) => it,
        });
      },
    });
  };
  return (
    <SubmitForm onSubmit={submit}>
      <Stack gap="md">
        <ContactSelect
          chosen={contact}
          choose={(it) => {
            setContact(it);
            setChannel(null);
            send.reset();
          }}
        />
        {contact && !contact.subscribed && (
          <Text size="sm" c="var(--wait)">
            {t('start.unsubscribed')}
          </Text>
        )}
        <Select
          label={t('channel')}
          placeholder={t('start.defaultChannel')}
          clearable
          disabled={!contact}
          data={channels.map(({ id, name }) => ({ value: id, label: name }))}
          nothingFoundMessage={t('start.noChannel')}
          value={channel}
          error={faults.channel_id}
          onChange={setChannel}
        />
        <Textarea
          label={t('message')}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={4096}
          value={text}
          error={faults.text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {send.error && Object.keys(faults).length === 0 && <Failure error={send.error} />}
        {unsent && (
          <Text role="alert" c="var(--bad)">
            {t('start.notSent', { reason: reasonOf(unsent.error?.code) })}
          </Text>
        )}
        <FormButtons onCancel={onClose} loading={send.isPending} disabled={!contact || !text.trim()}>
          {t('send')}
        </FormButtons>
      </Stack>
    </SubmitForm>
  );
}

function ContactSelect({ chosen, choose }: { chosen?: Contact; choose: (it: Contact | undefined) => void }) {
  const { workspace } = useWhere();
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), 250);
  const name = chosen && nameOf(chosen, chosen.id);
  // The name of the selected contact in the field is not a search.
  const found = useQuery(foundContacts(workspace.id, settled === name ? '' : settled));
  const contacts = new Map((chosen ? [chosen] : []).concat(found.data ?? []).map((it) => [it.id, it]));
  return (
    <>
      <Select
        label={t('contact')}
        placeholder={t('start.findContact')}
        data-autofocus
        searchable
        data={[...contacts.values()].map((it) => ({ value: it.id, label: nameOf(it, it.id) }))}
        // The API has filtered the options.
        filter={({ options }) => options}
        nothingFoundMessage={t('noContact')}
        value={chosen?.id ?? null}
        searchValue={text}
        onSearchChange={setText}
        onChange={(id) => choose(id ? contacts.get(id) : undefined)}
      />
      {found.error && <Failure error={found.error} retry={() => void found.refetch()} />}
    </>
  );
}

/** The channels on which the contact has an identity. */
function reachable(channels: Channel[], contact: Contact | undefined): Channel[] {
  return channels.filter(({ id }) => contact?.identities.some((it) => it.channel_id === id));
}

interface FirstMessage {
  contact: string;
  text: string;
  channel_id: string | undefined;
}

/** Sends a message. Retrying the same message does not send it twice. */
function useSend(ws: string) {
  const client = useQueryClient();
  const attempt = useRef<{ body: string; key: string }>(undefined);
  return useMutation({
    mutationFn: (message: FirstMessage): Promise<Message> => {
      const body = JSON.stringify(message);
      if (attempt.current?.body !== body) attempt.current = { body, key: crypto.randomUUID() };
      const { contact: id, text, channel_id } = message;
      return apiIn(ws).POST('/api/v1/contacts/{id}/send-message', {
        params: { path: { id }, header: { 'Idempotency-Key': attempt.current.key } },
        body: { type: 'text', text, channel_id },
      });
    },
    onSuccess: () => refreshLists(client, ws),
  });
}
