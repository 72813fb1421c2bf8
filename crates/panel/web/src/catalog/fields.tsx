import { Select, TagsInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, inWorkspace, value } from '../api/client';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { When } from '../components/when';
import { useCustomFields } from '../conditions/use-fields';
import { catalog, customFields as words } from '../i18n/en/catalog';
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
import { CatalogPage } from './page';
import { versioned } from './versioned';

const PATH = '/api/v1/custom-fields';
const RULES = {
  min: words.min,
  max: words.max,
  max_length: words.maxLength,
  pattern: words.pattern,
};
const TYPES = Object.entries(catalog.types).map(([value, label]) => ({ value, label }));

/** Settings › Custom fields. */
export function CustomFields() {
  return <CatalogPage of={useCustomFieldCatalog()} />;
}

/** Reads, creates and changes custom fields. */
export function useCustomFieldCatalog(): Catalog<CustomField, FieldDraft> {
  const { workspace } = useWhere();
  const client = useQueryClient();
  const list = useCustomFields();
  const headers = inWorkspace(workspace.id);
  return {
    words,
    list,
    call: { path: PATH },
    example: {
      method: 'POST',
      path: PATH,
      body: { name: 'Plan', type: 'select', options: ['free', 'gold'] },
    },
    columns: COLUMNS,
    said: ({ name, key }) => `${name} ${key}`,
    fresh: FRESH,
    draftOf: fieldDraftOf,
    fieldName: (field) => ({ ...RULES, options: words.options })[field] ?? catalog.name,
    Fields,
    read: (id) => versioned(api.GET('/api/v1/custom-fields/{id}', { params: { path: { id } }, headers })),
    create: (draft) =>
      value(api.POST('/api/v1/custom-fields', { headers, body: creationOf(draft) })).catch(atRules),
    save: (row, changed, etag, force) =>
      value(
        api.PATCH('/api/v1/custom-fields/{id}', {
          params: {
            path: { id: row.id },
            query: force ? { force } : {},
            header: { 'If-Match': etag },
          },
          headers,
          body: updateOf(fieldDraftOf(row), changed),
        }),
      ).catch(atRules),
    remove: ({ id }, force) =>
      value(
        api.DELETE('/api/v1/custom-fields/{id}', { params: { path: { id }, query: { force } }, headers }),
      ),
    refresh: () => client.invalidateQueries({ queryKey: ['custom-fields', workspace.id] }),
  };
}

/** Pointers into the rules name the fields of the form. */
function atRules(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const faults = error.faults.map((it) => ({ ...it, pointer: it.pointer?.replace(/^\/validation\//, '/') }));
  throw new Problem(error.status, error.code, error.detail, error.requestId, faults, undefined, error.more);
}

const COLUMNS: Catalog<CustomField, FieldDraft>['columns'] = [
  { key: 'name', header: catalog.name, render: ({ name }) => <span className="named">{name}</span> },
  { key: 'key', header: catalog.key, render: ({ key }) => <code>{key}</code> },
  { key: 'type', header: catalog.type, render: ({ type }) => catalog.types[type] },
  {
    key: 'options',
    header: words.options,
    render: ({ options }) => (
      <span className={`dimmed ${classes.text}`} title={options.join(', ') || undefined}>
        {options.join(', ') || '–'}
      </span>
    ),
  },
  { key: 'updated_at', header: catalog.changed, render: (it) => <When at={it.updated_at} /> },
];

function Fields({ draft, set, faults, row, readOnly }: FieldsProps<CustomField, FieldDraft>) {
  return (
    <>
      <TextInput
        label={catalog.name}
        data-autofocus={!row || undefined}
        maxLength={100}
        autoComplete="off"
        readOnly={readOnly}
        value={draft.name}
        error={faults.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextInput
        label={catalog.key}
        description={row ? undefined : catalog.keyHint}
        autoComplete="off"
        readOnly={row !== undefined}
        value={draft.key}
        error={faults.key}
        onChange={(event) => set({ key: event.currentTarget.value })}
      />
      <Select
        label={catalog.type}
        description={row ? undefined : catalog.typeHint}
        data={TYPES}
        readOnly={row !== undefined}
        allowDeselect={false}
        value={draft.type}
        error={faults.type}
        onChange={(type) => type && set({ type: type as FieldType })}
      />
      {hasOptions(draft.type) && (
        <TagsInput
          label={words.options}
          description={words.optionsHint}
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
          label={RULES[rule]}
          description={rule === 'pattern' ? words.patternHint : undefined}
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
