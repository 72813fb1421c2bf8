import { Button, Group, TextInput } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { listIn } from '../api/lists';
import type { components } from '../api/schema';
import { ofVersion, versioned } from '../api/versioned';
import { useWhere } from '../app/here';
import { useSearchState } from '../app/search-state';
import { When } from '../components/when';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Catalog, FieldsProps } from './catalog';
import classes from './catalog.module.css';
import { NameField } from './key-fields';
import { CatalogPage } from './page';
import type { CatalogSearch } from './search';

const t = texts('catalog');

type Tag = components['schemas']['Tag'];
interface Draft {
  name: string;
  color: string;
  description: string;
}

const PATH = '/api/v1/tags';
const bodyOf = (draft: Partial<Draft>) => ({
  ...draft,
  ...(draft.name !== undefined && { name: draft.name.trim() }),
  ...(draft.color !== undefined && { color: draft.color || null }),
  ...(draft.description !== undefined && { description: draft.description.trim() || null }),
});

/** Tags by words in the name, sorted by name. */
function useFoundTags(ws: string, q: string | undefined) {
  return useInfiniteQuery({
    ...listIn(ws, [...keys.tags(ws), 'found', { q }], '/api/v1/tags', {
      query: { q, sort: 'name', include: 'total' },
    }),
    placeholderData: keepPreviousData,
  });
}

/** Settings › Tags. */
export function Tags() {
  const { workspace } = useWhere();
  const client = useQueryClient();
  const [{ q }] = useSearchState<CatalogSearch>();
  const found = useFoundTags(workspace.id, q);
  const api = apiIn(workspace.id);
  const of: Catalog<Tag, Draft> = {
    words: (key) => t(`tags.${key}`),
    list: found,
    call: { path: PATH },
    example: { method: 'POST', path: PATH, body: { name: 'vip' } },
    columns: columns(),
    fresh: { name: '', color: '', description: '' },
    draftOf: ({ name, color, description }) => ({ name, color: color ?? '', description: description ?? '' }),
    fieldName: (field) =>
      ({ color: t('tags.color'), description: t('tags.descriptionLabel') })[field] ?? t('name'),
    Fields: TagFields,
    read: (id) => versioned('row', api.raw.GET('/api/v1/tags/{id}', { params: { path: { id } } })),
    create: (draft) => api.POST('/api/v1/tags', { body: { ...bodyOf(draft), name: draft.name.trim() } }),
    save: ({ id }, changed, etag) =>
      api.PATCH('/api/v1/tags/{id}', { params: ofVersion(id, etag), body: bodyOf(changed) }),
    remove: ({ id }, force) =>
      api.DELETE('/api/v1/tags/{id}', { params: { path: { id }, query: { force } } }),
    refresh: () => client.invalidateQueries({ queryKey: keys.tags(workspace.id) }),
  };
  return <CatalogPage of={of} />;
}

const columns = (): Catalog<Tag, Draft>['columns'] => [
  {
    key: 'name',
    header: t('name'),
    render: ({ name, color }) => (
      <span className="named">
        <span className={classes.dot} style={{ background: color ?? 'transparent' }} aria-hidden />
        {name}
      </span>
    ),
  },
  {
    key: 'description',
    header: t('tags.descriptionLabel'),
    render: ({ description }) => (
      <span className={`dimmed ${classes.text}`} title={description ?? undefined}>
        {description ?? '–'}
      </span>
    ),
  },
  {
    key: 'contacts',
    header: t('tags.contacts'),
    align: 'end',
    render: ({ id, contact_count }) => (
      <Link to="/contacts" search={{ filter: { field: 'tags', op: 'has', value: id } }} preload={false}>
        {number(contact_count)}
      </Link>
    ),
  },
  { key: 'updated_at', header: t('lastChanged'), render: (it) => <When at={it.updated_at} /> },
];

function TagFields({ draft, set, faults, row, readOnly }: FieldsProps<Tag, Draft>) {
  return (
    <>
      <NameField draft={draft} set={set} faults={faults} row={row} readOnly={readOnly} />
      <TextInput
        label={t('tags.descriptionLabel')}
        description={t('tags.descriptionHint')}
        maxLength={500}
        readOnly={readOnly}
        value={draft.description}
        error={faults.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <Group align="flex-end" gap="xs">
        <TextInput
          className={classes.color}
          type="color"
          label={t('tags.color')}
          disabled={readOnly}
          value={draft.color || '#868e96'}
          error={faults.color}
          onChange={(event) => set({ color: event.currentTarget.value })}
        />
        {draft.color && !readOnly && (
          <Button variant="subtle" onClick={() => set({ color: '' })}>
            {t('tags.colorNone')}
          </Button>
        )}
      </Group>
    </>
  );
}
