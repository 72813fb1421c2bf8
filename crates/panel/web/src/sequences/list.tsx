import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useSearchState } from '../app/search-state';
import type { ListSearch } from '../app/shell-route';
import { Choice } from '../components/choice';
import { FindBox } from '../components/find-box';
import { ResourcePage } from '../components/resource-page';
import { Status } from '../components/status';
import type { Column } from '../components/table';
import { When } from '../components/when';
import classes from '../flows/list.module.css';
import { texts } from '../i18n/texts';
import { type SequenceRow, type SequenceStatus, useSequences } from './api';
import { CreateSequence } from './create';
import { toneOf } from './state';
import { dayOf, earliest } from './steps';

const t = texts('sequences');

const STATUSES: SequenceStatus[] = ['draft', 'active', 'paused', 'archived'];

/** Automation › Sequences. */
export function Sequences() {
  const { workspace, role } = useWhere();
  const [search, show] = useSearchState<ListSearch>();
  const navigate = useNavigate();
  const status = STATUSES.find((it) => it === search.status);
  const sequences = useSequences(workspace.id, { q: search.q, status });
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  return (
    <ResourcePage
      title={t('sequences')}
      description={t('description')}
      call={{ path: '/api/v1/sequences' }}
      create={mayWrite(role) && { label: t('create'), onClick: () => show({ create: true }) }}
      rowKey={(it) => it.id}
      list={sequences}
      columns={columns()}
      onOpen={({ id }) =>
        void navigate({ to: '/sequences/$id', params: { id }, search: { ws: workspace.id } })
      }
      filters={
        <>
          <FindBox label={t('filter')} value={search.q} onChange={find} />
          <Choice
            label={t('status')}
            width={150}
            value={status}
            options={STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
            onChange={(next) => show({ status: next })}
          />
        </>
      }
      isFiltered={Boolean(search.q || status)}
      noMatch={{ title: t('noMatch'), hint: t('noMatchHint'), clear: t('clear') }}
      onClear={() => show({ q: undefined, status: undefined })}
      count={(count) => t('count', { count })}
      empty={{
        title: t('emptyTitle'),
        text: t('emptyText'),
        call: { method: 'POST', path: '/api/v1/sequences', body: { name: t('namePlaceholder') } },
      }}
    >
      {mayWrite(role) && (
        <CreateSequence opened={search.create === true} onClose={() => show({ create: undefined })} />
      )}
    </ResourcePage>
  );
}

const columns = (): Column<SequenceRow>[] => [
  {
    key: 'name',
    header: t('name'),
    render: (it) => (
      <span className={classes.name} title={it.name}>
        {it.name}
      </span>
    ),
  },
  {
    key: 'state',
    header: t('status'),
    render: (it) => <Status tone={toneOf(it.status)}>{t(`statuses.${it.status}`)}</Status>,
  },
  { key: 'steps', header: t('steps'), align: 'end', render: (it) => it.steps.length },
  {
    key: 'lasts',
    header: t('lasts'),
    render: (it) => {
      const last = earliest(it.steps).at(-1);
      return last !== undefined && t('onDay', { day: dayOf(last) });
    },
  },
  { key: 'changed', header: t('changed'), render: (it) => <When at={it.updated_at} /> },
];
