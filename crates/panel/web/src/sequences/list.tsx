import { useNavigate } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { useStatusList } from '../app/use-status-list';
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
  const { workspace } = useWhere();
  const navigate = useNavigate();
  const { filter, page, creation } = useStatusList({
    statuses: STATUSES,
    nameOf: (it) => t(`statuses.${it}`),
    words: t,
    clear: t('clear'),
  });
  const sequences = useSequences(workspace.id, filter);
  return (
    <ResourcePage
      {...page}
      title={t('sequences')}
      call={{ path: '/api/v1/sequences' }}
      rowKey={(it) => it.id}
      list={sequences}
      columns={columns()}
      onOpen={({ id }) =>
        void navigate({ to: '/sequences/$id', params: { id }, search: { ws: workspace.id } })
      }
      count={(count) => t('count', { count })}
      empty={{
        title: t('emptyTitle'),
        text: t('emptyText'),
        call: { method: 'POST', path: '/api/v1/sequences', body: { name: t('namePlaceholder') } },
      }}
    >
      {creation && <CreateSequence {...creation} />}
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
