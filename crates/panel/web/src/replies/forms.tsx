import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { faultsByField, Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Confirm } from '../components/confirm';
import { Failure, Waiting } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { useDraft, type Versioned } from '../forms/use-draft';
import { VersionedForm } from '../forms/versioned';
import { texts } from '../i18n/texts';
import { type ReplyDraft, readReply, useCreateReply, useDeleteReply, useReply, useSaveReply } from './api';
import { ReplyFields } from './fields';

const t = texts('replies');
const isTaken = (error: unknown) => error instanceof Problem && error.code === 'name_taken';

export function CreateReply({ onDone }: { onDone: () => void }) {
  const { workspace } = useWhere();
  const create = useCreateReply(workspace.id);
  const [draft, setDraft] = useState<ReplyDraft>({ name: '', text: '' });
  const faults = faultsByField(create.error);
  const elsewhere = create.error && Object.keys(faults).length === 0 && !isTaken(create.error);
  const complete = draft.name.trim() !== '' && draft.text.trim() !== '';
  return (
    <SubmitForm
      noValidate
      onSubmit={() => {
        if (complete) create.mutate({ ...draft, name: draft.name.trim() }, { onSuccess: onDone });
      }}
    >
      <Stack gap="lg">
        <ReplyFields
          draft={draft}
          set={(next) => setDraft({ ...draft, ...next })}
          error={create.error}
          faults={faults}
        />
        {elsewhere && <Failure error={create.error} />}
        <FormButtons onCancel={onDone} loading={create.isPending} disabled={!complete}>
          {t('create')}
        </FormButtons>
      </Stack>
    </SubmitForm>
  );
}

export function EditReply({ id, onDone }: { id: string; onDone: () => void }) {
  const { workspace } = useWhere();
  const asked = useReply(workspace.id, id);
  if (asked.data) return <Form id={id} latest={asked.data} onDone={onDone} />;
  if (asked.error instanceof Problem && asked.error.status === 404)
    return <Text c="dimmed">{t('gone')}</Text>;
  return asked.error ? <Failure error={asked.error} retry={() => void asked.refetch()} /> : <Waiting />;
}

interface FormProps {
  id: string;
  latest: Versioned<ReplyDraft>;
  onDone: () => void;
}

function Form({ id, latest, onDone }: FormProps) {
  const { workspace, role, administers } = useWhere();
  const [asking, ask] = useState(false);
  const save = useSaveReply(workspace.id, id);
  const remove = useDeleteReply(workspace.id);
  const editing = useDraft<ReplyDraft>({ latest, read: () => readReply(workspace.id, id), save });
  const shown = isTaken(editing.failure) ? { ...editing, failure: undefined } : editing;
  return (
    <>
      <VersionedForm editing={shown} nameOf={(field) => t(field)}>
        <ReplyFields
          draft={editing.draft}
          set={editing.set}
          error={editing.failure}
          faults={editing.faults}
          readOnly={!mayWrite(role)}
        />
      </VersionedForm>
      {administers && (
        <Button mt="xl" variant="outline" color="red.8" className="danger" onClick={() => ask(true)}>
          {t('delete')}
        </Button>
      )}
      <Confirm
        title={t('deleteTitle', { name: latest.draft.name })}
        verb={t('deleteVerb')}
        opened={asking}
        pending={remove.isPending}
        error={remove.error}
        onClose={() => ask(false)}
        onConfirm={() => remove.mutate(id, { onSuccess: onDone })}
      >
        {t('deleteHint')}
      </Confirm>
    </>
  );
}
