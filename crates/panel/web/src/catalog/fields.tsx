import { Select, TagsInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { Problem } from '../api/problem';
import { versioned } from '../api/versioned';
import { useWhere } from '../app/here';
import { When } from '../components/when';
import { useCustomFields } from '../conditions/use-fields';
import { texts } from '../i18n/texts';
import type { Catalog, FieldsProps } from './catalog';
import classes from './catalog.module.css';
import {
  type CustomField,
  creationOf,
  type FieldDraft,
  type FieldType,
  FRESH,
  fieldDraftOf,
  hasOptions,
  rulesOf,
  updateOf,
} from './field-draft';
import { KeyField, NameField } from './key-fields';
import { CatalogPage } from './page';

const t = texts('catalog');

const PATH = '/api/v1/custom-fields';
const TYPES: FieldType[] = [
  'text',
  'number',
  'boolean',
  'date',
  'datetime',
  'email',
  'phone',
  'url',
  'select',
  'multi_select',
];

/** Settings › Custom fields. */
export function CustomFields() {
  return <CatalogPage of={useCustomFieldCatalog()} />;
}

export function useCustomFieldCatalog(): Catalog<CustomField, FieldDraft> {
  const { workspace } = useWhere();
  const client = useQueryClient();
  const api = apiIn(workspace.id);
  return {
    words: (key) => t(`customFields.${key}`),
    list: { all: useCustomFields(), said: ({ name, key }) => `${name} ${key}` },
    call: { path: PATH },
    example: {
      method: 'POST',
      path: PATH,
      body: { name: 'Plan', type: 'select', options: ['free', 'gold'] },
    },
    columns: columns(),
    fresh: FRESH,
    draftOf: fieldDraftOf,
    fieldName: (field) =>
      field === 'options' ? t('customFields.options') : (t.find('customFields.rules', field) ?? t('name')),
    Fields,
    read: (id) => versioned('row', api.raw.GET('/api/v1/custom-fields/{id}', { params: { path: { id } } })),
    create: (draft) => api.POST('/api/v1/custom-fields', { body: creationOf(draft) }).catch(atRules),
    save: (row, changed, etag, force) =>
      api
        .PATCH('/api/v1/custom-fields/{id}', {
          params: { path: { id: row.id }, query: force ? { force } : {}, header: { 'If-Match': etag } },
          body: updateOf(fieldDraftOf(row), changed),
        })
        .catch(atRules),
    remove: ({ id }, force) =>
      api.DELETE('/api/v1/custom-fields/{id}', { params: { path: { id }, query: { force } } }),
    refresh: () => client.invalidateQueries({ queryKey: keys.customFields(workspace.id) }),
  };
}

/** Maps errors in validation rules to the fields of the form, and rejects with them. */
function atRules(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const faults = error.faults.map((it) => ({ ...it, pointer: it.pointer?.replace(/^\/validation\//, '/') }));
  throw new Problem(error.status, error.code, error.detail, error.requestId, faults, undefined, error.more);
}

const columns = (): Catalog<CustomField, FieldDraft>['columns'] => [
  { key: 'name', header: t('name'), render: ({ name }) => <span className="named">{name}</span> },
  { key: 'key', header: t('key'), render: ({ key }) => <code>{key}</code> },
  { key: 'type', header: t('type'), render: ({ type }) => t(`types.${type}`) },
  {
    key: 'options',
    header: t('customFields.options'),
    render: ({ options }) => (
      <span className={`dimmed ${classes.text}`} title={options.join(', ') || undefined}>
        {options.join(', ') || '–'}
      </span>
    ),
  },
  { key: 'updated_at', header: t('lastChanged'), render: (it) => <When at={it.updated_at} /> },
];

function Fields({ draft, set, faults, row, readOnly }: FieldsProps<CustomField, FieldDraft>) {
  return (
    <>
      <NameField draft={draft} set={set} faults={faults} row={row} readOnly={readOnly} />
      <KeyField draft={draft} set={set} faults={faults} row={row} />
      <Select
        label={t('type')}
        description={row ? undefined : t('typeHint')}
        data={TYPES.map((it) => ({ value: it, label: t(`types.${it}`) }))}
        readOnly={row !== undefined}
        allowDeselect={false}
        value={draft.type}
        error={faults.type}
        onChange={(type) => type && set({ type: type as FieldType })}
      />
      {hasOptions(draft.type) && (
        <TagsInput
          label={t('customFields.options')}
          description={t('customFields.optionsHint')}
          readOnly={readOnly}
          acceptValueOnBlur
          maxTags={100}
          value={draft.options}
          error={faults.options}
          onChange={(options) => set({ options })}
        />
      )}
      {rulesOf(draft.type).map((rule) => (
        <TextInput
          key={rule}
          label={t(`customFields.rules.${rule}`)}
          description={rule === 'pattern' ? t('customFields.patternHint') : undefined}
          inputMode={rule === 'pattern' ? undefined : 'decimal'}
          autoComplete="off"
          readOnly={readOnly}
          value={draft[rule]}
          error={faults[rule] ?? (rule === 'min' || rule === 'max_length' ? faults.validation : undefined)}
          onChange={(event) => set({ [rule]: event.currentTarget.value })}
        />
      ))}
    </>
  );
}
