import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { ofVersion, versioned } from '../api/versioned';
import { useWhere } from '../app/here';
import { useSearchState } from '../app/search-state';
import type { Catalog } from '../catalog/catalog';
import { CatalogPage } from '../catalog/page';
import type { CatalogSearch } from '../catalog/search';
import { Named } from '../components/named';
import { When } from '../components/when';
import type { Condition } from '../conditions/grammar';
import { useConditionFields } from '../conditions/use-fields';
import { described } from '../conditions/words';
import { texts } from '../i18n/texts';
import { type Segment, useFoundSegments } from './api';
import { SegmentFields } from './fields';
import classes from './segments.module.css';
import { countOf, type SegmentDraft } from './state';

const t = texts('segments');
const catalog = texts('catalog');

const PATH = '/api/v1/segments';
const EVERYBODY: Condition = { all: [] };

export interface SegmentSearch extends Omit<CatalogSearch, 'filter'> {
  /** The initial condition of a new segment, from the filter of the contact list. */
  filter?: Condition;
}

/** People › Segments. */
export function Segments() {
  const { workspace } = useWhere();
  const client = useQueryClient();
  const [search] = useSearchState<SegmentSearch>();
  const found = useFoundSegments(workspace.id, search.q);
  const api = apiIn(workspace.id);
  const of: Catalog<Segment, SegmentDraft> = {
    words: t,
    list: found,
    call: { path: PATH },
    example: {
      method: 'POST',
      path: PATH,
      body: { name: 'Berliners', condition: { field: 'time_zone', op: 'eq', value: 'Europe/Berlin' } },
    },
    columns: columns(),
    fresh: { name: '', condition: search.filter ?? EVERYBODY },
    draftOf: ({ name, condition }) => ({ name, condition: condition as Condition }),
    fieldName: (field) => (field === 'condition' ? t('condition') : catalog('name')),
    Fields: SegmentFields,
    width: 680,
    read: (id) => versioned('row', api.raw.GET('/api/v1/segments/{id}', { params: { path: { id } } })),
    create: ({ name, condition }) => api.POST('/api/v1/segments', { body: { name: name.trim(), condition } }),
    save: ({ id }, { name, condition }, etag) =>
      api.PATCH('/api/v1/segments/{id}', {
        params: ofVersion(id, etag),
        body: { name: name?.trim(), condition },
      }),
    remove: ({ id }, force) =>
      api.DELETE('/api/v1/segments/{id}', { params: { path: { id }, query: { force } } }),
    refresh: () => client.invalidateQueries({ queryKey: keys.segments(workspace.id) }),
  };
  return <CatalogPage of={of} />;
}

const columns = (): Catalog<Segment, SegmentDraft>['columns'] => [
  { key: 'name', header: catalog('name'), render: ({ name }) => <Named text={name} /> },
  { key: 'condition', header: t('condition'), render: (it) => <Sentence of={it.condition as Condition} /> },
  {
    key: 'contacts',
    header: t('contacts'),
    align: 'end',
    render: (it) => (
      <Link to="/contacts" search={{ segment: it.id }} preload={false}>
        {countOf(it)}
      </Link>
    ),
  },
  { key: 'updated_at', header: catalog('lastChanged'), render: (it) => <When at={it.updated_at} /> },
];

function Sentence({ of }: { of: Condition }) {
  const { fields } = useConditionFields();
  const text = fields ? described(of, fields) : '';
  return (
    <span className={`dimmed ${classes.sentence}`} title={text}>
      {text}
    </span>
  );
}
