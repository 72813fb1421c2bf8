import { useNavigate } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { useStatusList } from '../app/use-status-list';
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
  const { workspace } = useWhere();
  const navigate = useNavigate();
  const { filter, page, creation } = useStatusList({
    statuses: STATUSES,
    nameOf: (it) => t(`statuses.${it}`),
    words: t,
    clear: t('clearFilters'),
  });
  const flows = useFlows(workspace.id, filter);
  return (
    <ResourcePage
      {...page}
      title={t('title')}
      call={{ path: '/api/v1/flows' }}
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
      count={(count) => t('count', { count })}
      empty={{
        title: t('emptyTitle'),
        text: t('emptyText'),
        call: { method: 'POST', path: '/api/v1/flows', body: { name: 'Welcome' } },
      }}
    >
      {creation && <CreateFlow {...creation} />}
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
