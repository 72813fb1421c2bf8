import { Stack } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { GuardedDrawer } from '../components/guarded';
import { Failure } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { useCreateWebhook } from './api';
import { EMPTY } from './draft';
import { WebhookFields } from './fields';
import { SecretOnce } from './secret-once';

const t = texts('webhooks');

interface Props {
  opened: boolean;
  onClose: () => void;
  /** Opens the page of the new webhook. */
  onOpen: (id: string) => void;
}

/** Asks for the URL and the events of a webhook, and then shows the secret once. */
export function CreateWebhookDrawer({ opened, onClose, onOpen }: Props) {
  const { workspace } = useWhere();
  const create = useCreateWebhook(workspace.id);
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <GuardedDrawer
      opened={opened}
      onClose={close}
      size={600}
      title={create.data ? t('createdTitle') : t('create')}
    >
      {create.data ? (
        <SecretOnce
          secret={create.data.secret ?? ''}
          verb={t('open')}
          onDone={() => onOpen(create.data.id)}
        />
      ) : (
        <Form create={create} onCancel={close} />
      )}
    </GuardedDrawer>
  );
}

function Form({ create, onCancel }: { create: ReturnType<typeof useCreateWebhook>; onCancel: () => void }) {
  const [draft, setDraft] = useState(EMPTY);
  const faults = faultsByField(create.error);
  const elsewhere = create.error && Object.keys(faults).length === 0;
  const complete = draft.url.trim() !== '' && draft.events.length > 0;
  return (
    <SubmitForm
      noValidate
      onSubmit={() => {
        if (complete) create.mutate({ ...draft, url: draft.url.trim() });
      }}
    >
      <Stack gap="lg">
        <WebhookFields draft={draft} set={(next) => setDraft({ ...draft, ...next })} faults={faults} />
        {elsewhere && <Failure error={create.error} />}
        <FormButtons onCancel={onCancel} loading={create.isPending} disabled={!complete}>
          {t('create')}
        </FormButtons>
      </Stack>
    </SubmitForm>
  );
}
