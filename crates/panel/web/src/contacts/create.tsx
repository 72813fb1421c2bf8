import { Stack, TagsInput, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { faultsByField, Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { GuardedDrawer } from '../components/guarded';
import { Failure } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { useTags } from '../conditions/use-fields';
import { texts } from '../i18n/texts';
import { type CreateContact as Body, useCreateContact } from './api';

const t = texts('contacts');

type Draft = Record<'first_name' | 'last_name' | 'email' | 'phone' | 'external_id', string>;

const EMPTY: Draft = { first_name: '', last_name: '', email: '', phone: '', external_id: '' };
const fields = (): [keyof Draft, string, string?][] => [
  ['first_name', t('firstName')],
  ['last_name', t('lastName')],
  ['email', t('email')],
  ['phone', t('phone'), t('phoneHint')],
  ['external_id', t('externalId'), t('externalIdHint')],
];

export function CreateContact({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <GuardedDrawer opened={opened} onClose={onClose} title={t('create')}>
      <Form onClose={onClose} />
    </GuardedDrawer>
  );
}

function Form({ onClose }: { onClose: () => void }) {
  const { workspace } = useWhere();
  const navigate = useNavigate();
  const create = useCreateContact(workspace.id);
  const known = useTags();
  const [draft, setDraft] = useState(EMPTY);
  const [tags, setTags] = useState<string[]>([]);
  const faults = faultsByField(create.error);
  const said = bodyOf(draft, tags);
  const failed = create.error && !Object.keys(faults).some((it) => it in draft || it === 'tags');
  return (
    <SubmitForm
      noValidate
      onSubmit={() =>
        create.mutate(said, {
          onSuccess: ({ id }) => void navigate({ to: '/contacts/$id', params: { id } }),
        })
      }
    >
      <Stack gap="md">
        {fields().map(([name, label, hint], at) => (
          <TextInput
            key={name}
            label={label}
            description={hint}
            type={name === 'email' ? 'email' : name === 'phone' ? 'tel' : 'text'}
            autoComplete="off"
            data-autofocus={at === 0 || undefined}
            autoFocus={at === 0}
            value={draft[name]}
            error={faults[name]}
            onChange={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
          />
        ))}
        <TagsInput
          label={t('tags')}
          description={t('tagsHint')}
          data={(known.data ?? []).map((it) => it.name)}
          value={tags}
          error={faults.tags}
          acceptValueOnBlur
          maxTags={100}
          onChange={setTags}
        />
        {failed && <Failure error={create.error} />}
        <Existing error={create.error} />
        <FormButtons onCancel={onClose} loading={create.isPending} disabled={Object.keys(said).length === 0}>
          {t('create')}
        </FormButtons>
      </Stack>
    </SubmitForm>
  );
}

/** A link to the contact that already has this identifier. */
export function Existing({ error }: { error: unknown }) {
  const id = error instanceof Problem && error.code === 'contact_exists' && error.more.existing_id;
  if (typeof id !== 'string') return null;
  return (
    <Link to="/contacts/$id" params={{ id }}>
      {t('openExisting')}
    </Link>
  );
}

/** The request body with the filled fields. */
export function bodyOf(draft: Draft, tags: string[]): Body {
  const filled = Object.entries(draft).filter(([, value]) => value.trim() !== '');
  const body: Body = Object.fromEntries(filled.map(([name, value]) => [name, value.trim()]));
  return tags.length > 0 ? { ...body, tags } : body;
}
