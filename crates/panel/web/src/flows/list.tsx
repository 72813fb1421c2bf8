import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useSearchState } from '../app/search-state';
import { Choice } from '../components/choice';
import { FindBox } from '../components/find-box';
import { FoundList } from '../components/found-list';
import { Page } from '../components/page';
import { Empty } from '../components/states';
import { Status } from '../components/status';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { type FlowStatus, type FlowSummary, useFlows } from './api';
import { CreateFlow } from './create';
import classes from './list.module.css';
import { stateOf } from './state';

const t = texts('flows');

interface Search {
  create?: boolean;
  q?: string;
  status?: string;
}

const STATUSES: FlowStatus[] = ['draft', 'active', 'paused', 'archived'];

/** Automation › Flows. */
export function Flows() {
  const { workspace, role } = useWhere();
  const [search, show] = useSearchState<Search>();
  const navigate = useNavigate();
  const status = STATUSES.find((it) => it === search.status);
  const flows = useFlows(workspace.id, { q: search.q, status });
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  const create = mayWrite(role) && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => show({ create: true })}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('description')} call={{ path: '/api/v1/flows' }} action={create}>
      <FoundList
        label={t('title')}
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
        noMatch={{ title: t('noMatch'), hint: t('noMatchHint'), clear: t('clear') }}
        onClear={() => show({ q: undefined, status: undefined })}
        count={(count) => t('count', { count })}
        empty={
          <Empty
            title={t('emptyTitle')}
            action={create || undefined}
            call={{ method: 'POST', path: '/api/v1/flows', body: { name: 'Welcome' } }}
          >
            {t('emptyText')}
          </Empty>
        }
      />
      {mayWrite(role) && (
        <CreateFlow opened={search.create === true} onClose={() => show({ create: undefined })} />
      )}
    </Page>
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
