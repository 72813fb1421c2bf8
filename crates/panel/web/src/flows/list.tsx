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
import { texts } from '../i18n/texts';
import { type FlowStatus, type FlowSummary, useFlows } from './api';
import { CreateFlow } from './create';
import classes from './list.module.css';
import { stateOf } from './state';

const t = texts('flows');

const STATUSES: FlowStatus[] = ['draft', 'active', 'paused', 'archived'];

/** Automation › Flows. */
export function Flows() {
  const { workspace, role } = useWhere();
  const [search, show] = useSearchState<ListSearch>();
  const navigate = useNavigate();
  const status = STATUSES.find((it) => it === search.status);
  const flows = useFlows(workspace.id, { q: search.q, status });
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  return (
    <ResourcePage
      title={t('title')}
      description={t('description')}
      call={{ path: '/api/v1/flows' }}
      create={mayWrite(role) && { label: t('create'), onClick: () => show({ create: true }) }}
      rowKey={(it) => it.id}
      list={flows}
      columns={columns()}
      onOpen={(flow) =>
        void navigate({
          to: '/flows/$id',
          params: { id: flow.id },
          search: { ws: workspace.id },
        })
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
      noMatch={{ title: t('noMatch'), hint: t('noMatchHint'), clear: t('clearFilters') }}
      onClear={() => show({ q: undefined, status: undefined })}
      count={(count) => t('count', { count })}
      empty={{
        title: t('emptyTitle'),
        text: t('emptyText'),
        call: { method: 'POST', path: '/api/v1/flows', body: { name: 'Welcome' } },
      }}
    >
      {mayWrite(role) && (
        <CreateFlow opened={search.create === true} onClose={() => show({ create: undefined })} />
      )}
    </ResourcePage>
  );
}

const columns = (): Column<FlowSummary>[] => [
  {
    key: 'name',
    header: t('name'),
    render: (flow) => (
      <span className={classes.name} title={flow.name}>
        {flow.name}
      </span>
    ),
  },
  {
    key: 'state',
    header: t('status'),
    render: (flow) => <Status tone={stateOf(flow).tone}>{t(`statuses.${flow.status}`)}</Status>,
  },
  {
    key: 'version',
    header: t('version'),
    align: 'end',
    render: (flow) => flow.version_published ?? <span className="dimmed">{t('none')}</span>,
  },
  {
    key: 'changes',
    header: t('draft'),
    render: (flow) =>
      flow.has_unpublished_changes ? t('changes') : <span className="dimmed">{t('noChanges')}</span>,
  },
  { key: 'changed', header: t('changed'), render: (flow) => <When at={flow.updated_at} /> },
];
