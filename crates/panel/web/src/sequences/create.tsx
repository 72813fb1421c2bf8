import { Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { GuardedDrawer } from '../components/guarded';
import { Failure } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { useCreateSequence } from './api';

const t = texts('sequences');

/** Creates a draft and opens it. */
export function CreateSequence({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { workspace } = useWhere();
  const create = useCreateSequence(workspace.id);
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const faults = faultsByField(create.error);
  const close = () => {
    onClose();
    create.reset();
    setName('');
  };
  return (
    <GuardedDrawer opened={opened} onClose={close} title={t('create')}>
      <SubmitForm
        onSubmit={() =>
          create.mutate(name.trim(), {
            onSuccess: ({ id }) =>
              void navigate({ to: '/sequences/$id', params: { id }, search: { ws: workspace.id } }),
          })
        }
      >
        <Stack gap="lg">
          <TextInput
            label={t('name')}
            placeholder={t('namePlaceholder')}
            maxLength={100}
            data-autofocus
            autoFocus
            value={name}
            error={faults.name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Text c="dimmed" size="sm">
            {t('createHint')}
          </Text>
          {create.error && !faults.name && <Failure error={create.error} />}
          <FormButtons onCancel={close} loading={create.isPending} disabled={!name.trim()}>
            {t('create')}
          </FormButtons>
        </Stack>
      </SubmitForm>
    </GuardedDrawer>
  );
}
