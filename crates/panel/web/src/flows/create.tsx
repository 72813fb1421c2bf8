import { Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { ChoiceCards } from '../components/choice-cards';
import { GuardedDrawer } from '../components/guarded';
import { Failure } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { useCreateFlow } from './api';
import { TEMPLATES, type Template } from './templates';

const t = texts('flows');

type Start = 'nothing' | Template['key'];
const choices = () => [
  { value: 'nothing' as Start, name: t('empty.name'), says: t('empty.hint') },
  ...TEMPLATES.map(({ key }) => ({
    value: key as Start,
    name: t(`templates.${key}.name`),
    says: t(`templates.${key}.hint`),
  })),
];

/** A flow that does nothing. */
const EMPTY = { triggers: [], start: 'end', nodes: [{ id: 'end', type: 'end' }] };

/** Creates a draft, empty or from a template, and opens it. */
export function CreateFlow({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { workspace } = useWhere();
  const create = useCreateFlow(workspace.id);
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [start, setStart] = useState<Start>('nothing');
  const template = TEMPLATES.find((it) => it.key === start);
  const named = template && t(`templates.${template.key}.name`);
  const meant = name.trim() || named || '';
  const faults = faultsByField(create.error);
  const close = () => {
    onClose();
    create.reset();
    setName('');
  };
  const send = () =>
    create.mutate(
      { name: meant, definition: template?.definition ?? EMPTY },
      {
        onSuccess: ({ id }) =>
          void navigate({ to: '/flows/$id', params: { id }, search: { ws: workspace.id } }),
      },
    );
  return (
    <GuardedDrawer opened={opened} onClose={close} title={t('create')}>
      <SubmitForm
        onSubmit={() => {
          if (meant) send();
        }}
      >
        <Stack gap="lg">
          <TextInput
            label={t('name')}
            placeholder={named}
            maxLength={100}
            data-autofocus
            autoFocus
            value={name}
            error={faults.name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <ChoiceCards label={t('startFrom')} choices={choices()} value={start} onChange={setStart} />
          <Text c="dimmed" size="sm">
            {t('createHint')} {template && t('needs')}
          </Text>
          {create.error && !faults.name && <Failure error={create.error} />}
          <FormButtons onCancel={close} loading={create.isPending} disabled={!meant}>
            {t('create')}
          </FormButtons>
        </Stack>
      </SubmitForm>
    </GuardedDrawer>
  );
}
