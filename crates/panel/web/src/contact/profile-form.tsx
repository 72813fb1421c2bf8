import { Select, Switch, Text, TextInput, Title } from '@mantine/core';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Failure, Waiting } from '../components/states';
import { useCustomFields } from '../conditions/use-fields';
import { Existing } from '../contacts/create';
import { useDraft } from '../forms/use-draft';
import { VersionedForm } from '../forms/versioned';
import { texts } from '../i18n/texts';
import { readContact, useSaveContact, type Versioned } from './api';
import { CustomInput } from './custom-input';
import { atFields, bodyOf, type CustomField, draftOf, nameOfCustom, type ProfileDraft, TEXTS } from './draft';

const t = texts('contact');

/** Edits the attributes and custom fields of a contact. It saves with the version that it read. */
export function ProfileForm({ latest }: { latest: Versioned }) {
  const fields = useCustomFields();
  if (fields.error && !fields.data)
    return <Failure error={fields.error} retry={() => void fields.refetch()} />;
  return fields.data ? <Form latest={latest} fields={fields.data} /> : <Waiting />;
}

function Form({ latest, fields }: { latest: Versioned; fields: CustomField[] }) {
  const { workspace, role } = useWhere();
  const { id } = latest.contact;
  const saving = useSaveContact(workspace.id, id);
  const drafted = ({ contact, etag }: Versioned) => ({ draft: draftOf(contact, fields), etag });
  const editing = useDraft<ProfileDraft>({
    latest: drafted(latest),
    read: async () => drafted(await readContact(workspace.id, id)),
    save: (changed, etag) =>
      saving.mutateAsync({ body: bodyOf(changed, fields), etag }).catch((error) => {
        throw atFields(error);
      }),
  });
  const { draft, set, faults } = editing;
  const readOnly = !mayWrite(role);
  const nameOf = (name: string) =>
    t.find('attributeNames', name) ?? fields.find(({ key }) => nameOfCustom(key) === name)?.name ?? name;
  return (
    <VersionedForm editing={editing} nameOf={nameOf}>
      <Existing error={editing.failure} />
      <Title order={2}>{t('attributes')}</Title>
      {TEXTS.map((name) => (
        <TextInput
          key={name}
          label={t(`attributeNames.${name}`)}
          description={t.find('hints', name)}
          autoComplete="off"
          readOnly={readOnly}
          value={String(draft[name])}
          error={faults[name]}
          onChange={(event) => set({ [name]: event.currentTarget.value })}
        />
      ))}
      <Select
        label={t('attributeNames.status')}
        data={[
          { value: 'active', label: t('active') },
          { value: 'blocked', label: t('blocked') },
        ]}
        readOnly={readOnly}
        allowDeselect={false}
        value={String(draft.status)}
        error={faults.status}
        onChange={(status) => status && set({ status })}
      />
      <Switch
        label={t('attributeNames.subscribed')}
        description={t('hints.subscribed')}
        disabled={readOnly}
        checked={draft.subscribed === true}
        error={faults.subscribed}
        onChange={(event) => set({ subscribed: event.currentTarget.checked })}
      />
      <Title order={2}>{t('customFields')}</Title>
      {fields.length === 0 && <Text c="dimmed">{t('noCustomFields')}</Text>}
      {fields.map((field) => {
        const name = nameOfCustom(field.key);
        return (
          <CustomInput
            key={field.id}
            field={field}
            readOnly={readOnly}
            value={draft[name] ?? ''}
            error={faults[name]}
            onChange={(value) => set({ [name]: value })}
          />
        );
      })}
    </VersionedForm>
  );
}
