import { Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { FilesField } from '../attachments/files-field';
import { GuardedDrawer } from '../components/guarded';
import { Failure } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { useInsert } from '../templates/use-insert';
import { ValueMenu } from '../templates/value-menu';
import { useCreateBroadcast } from './api';
import { type Said, SUBSCRIBED, withParts } from './draft';
import { useKeyOf } from './use-key';
import { messageHint } from './words';

const t = texts('broadcasts');

/** Asks for a name and a message. Everything else is edited on the draft's page. */
export function CreateBroadcast({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <GuardedDrawer opened={opened} onClose={onClose} title={t('create')}>
      <Form onCancel={onClose} />
    </GuardedDrawer>
  );
}

function Form({ onCancel }: { onCancel: () => void }) {
  const { workspace } = useWhere();
  const navigate = useNavigate();
  const create = useCreateBroadcast(workspace.id);
  const keyOf = useKeyOf();
  const [name, setName] = useState('');
  const [message, setMessage] = useState<Said>({ type: 'text', text: '' });
  const { text = '', attachments = [] } = message;
  const isEmpty = !text?.trim() && !attachments?.length;
  const say = (next: string) => setMessage((it) => withParts(it, { text: next }));
  const { insert, field } = useInsert(text ?? '', say);
  const faults = faultsByField(create.error);
  return (
    <SubmitForm
      onSubmit={() => {
        const body = { name: name.trim(), audience: SUBSCRIBED, message };
        create.mutate(
          { body, key: keyOf(body) },
          {
            onSuccess: ({ broadcast }) =>
              void navigate({ to: '/broadcasts/$id', params: { id: broadcast.id } }),
          },
        );
      }}
    >
      <Stack gap="lg">
        <Text c="dimmed">{t('createHint')}</Text>
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          placeholder={t('namePlaceholder')}
          maxLength={100}
          required
          withAsterisk={false}
          data-autofocus
          autoFocus
          value={name}
          error={faults.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FilesField
          value={attachments ?? []}
          onChange={(files) => setMessage((it) => withParts(it, { attachments: files }))}
        >
          <Textarea
            {...field}
            rightSection={<ValueMenu onInsert={insert} />}
            rightSectionProps={{ style: { alignItems: 'start', paddingTop: 4 } }}
            label={t('message')}
            description={messageHint()}
            inputWrapperOrder={['label', 'description', 'input', 'error']}
            autosize
            minRows={4}
            maxRows={14}
            maxLength={4096}
            value={text ?? ''}
            error={faults.message}
            onChange={(event) => say(event.currentTarget.value)}
          />
        </FilesField>
        {create.error && Object.keys(faults).length === 0 && <Failure error={create.error} />}
        <FormButtons onCancel={onCancel} loading={create.isPending} disabled={!name.trim() || isEmpty}>
          {t('createDraft')}
        </FormButtons>
      </Stack>
    </SubmitForm>
  );
}
