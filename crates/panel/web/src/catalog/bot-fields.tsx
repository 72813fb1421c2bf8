import { Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import type { components } from '../api/schema';
import { versioned } from '../api/versioned';
import { useWhere } from '../app/here';
import { dayAndTime } from '../components/time';
import { When } from '../components/when';
import { useBotFields } from '../conditions/use-fields';
import { CustomInput } from '../contact/custom-input';
import { customValue } from '../contact/draft';
import { date, number } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Catalog, FieldsProps } from './catalog';
import classes from './catalog.module.css';
import { KeyField, NameField } from './key-fields';
import { CatalogPage } from './page';

const t = texts('catalog');

type BotField = components['schemas']['BotField'];
type BotFieldType = components['schemas']['BotFieldType'];
interface Draft {
  name: string;
  key: string;
  type: BotFieldType;
  value: string;
}

const PATH = '/api/v1/bot-fields';
const TYPES: BotFieldType[] = ['text', 'number', 'boolean', 'date', 'datetime'];
const shown = (it: unknown) => (it === null || it === undefined ? '' : String(it));

/** The value of a field in the form of the language. */
function inWords(type: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'number') return number(value, { maximumFractionDigits: 20 });
  if (typeof value === 'string' && type === 'date')
    return date(value, { dateStyle: 'medium', timeZone: 'UTC' });
  if (typeof value === 'string' && type === 'datetime') return dayAndTime(value);
  return shown(value);
}

/** Settings › Bot fields. */
export function BotFields() {
  return <CatalogPage of={useBotFieldCatalog()} />;
}

export function useBotFieldCatalog(): Catalog<BotField, Draft> {
  const { workspace } = useWhere();
  const client = useQueryClient();
  const api = apiIn(workspace.id);
  return {
    words: (key) => t(`botFields.${key}`),
    list: { all: useBotFields(), said: ({ name, key }) => `${name} ${key}` },
    call: { path: PATH },
    example: { method: 'POST', path: PATH, body: { name: 'Season', type: 'text', value: 'winter' } },
    columns: columns(),
    fresh: { name: '', key: '', type: 'text', value: '' },
    draftOf: ({ name, key, type, value: now }) => ({
      name,
      key,
      type: type as BotFieldType,
      value: shown(now),
    }),
    fieldName: (field) => (field === 'value' ? t('value') : t('name')),
    Fields,
    read: (id) => versioned('row', api.raw.GET('/api/v1/bot-fields/{id}', { params: { path: { id } } })),
    create: (draft) => {
      const first = customValue(draft.value, draft.type);
      return api.POST('/api/v1/bot-fields', {
        body: {
          name: draft.name.trim(),
          type: draft.type,
          ...(draft.key.trim() && { key: draft.key.trim() }),
          ...(first !== null && { value: first }),
        },
      });
    },
    // The name and the value need two requests. The second uses the version that the first created.
    save: async (row, changed, etag) => {
      const path = { id: row.id };
      let match = etag;
      if (changed.name !== undefined) {
        const params = { path, header: { 'If-Match': match } };
        const body = { name: changed.name.trim() };
        match = (await versioned('row', api.raw.PATCH('/api/v1/bot-fields/{id}', { params, body }))).etag;
      }
      if (changed.value === undefined) return;
      const params = { path, header: { 'If-Match': match } };
      const body = { value: customValue(changed.value, row.type) };
      await api.POST('/api/v1/bot-fields/{id}', { params, body: body as never });
    },
    remove: ({ id }, force) =>
      api.DELETE('/api/v1/bot-fields/{id}', { params: { path: { id }, query: { force } } }),
    refresh: () => client.invalidateQueries({ queryKey: keys.botFields(workspace.id) }),
  };
}

const columns = (): Catalog<BotField, Draft>['columns'] => [
  { key: 'name', header: t('name'), render: ({ name }) => <span className="named">{name}</span> },
  { key: 'key', header: t('key'), render: ({ key }) => <code>{key}</code> },
  { key: 'type', header: t('type'), render: ({ type }) => t(`types.${type}`) },
  {
    key: 'value',
    header: t('value'),
    render: ({ type, value }) => {
      const text = inWords(type, value);
      return (
        <span className={classes.text} title={text || undefined}>
          {text || <span className="dimmed">–</span>}
        </span>
      );
    },
  },
  { key: 'updated_at', header: t('lastChanged'), render: (it) => <When at={it.updated_at} /> },
];

function Fields({ draft, set, faults, row, readOnly }: FieldsProps<BotField, Draft>) {
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
        onChange={(type) => type && set({ type: type as BotFieldType, value: '' })}
      />
      <CustomInput
        field={{ key: 'value', name: t('value'), type: draft.type, options: [] }}
        readOnly={readOnly}
        value={draft.value}
        error={faults.value}
        onChange={(next) => set({ value: String(next) })}
      />
    </>
  );
}
