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
import classes from '../flows/list.module.css';
import { texts } from '../i18n/texts';
import { type SequenceRow, type SequenceStatus, useSequences } from './api';
import { CreateSequence } from './create';
import { toneOf } from './state';
import { dayOf, earliest } from './steps';

const t = texts('sequences');

interface Search {
  create?: boolean;
  q?: string;
  status?: string;
}

const STATUSES: SequenceStatus[] = ['draft', 'active', 'paused', 'archived'];

/** Automation › Sequences. */
export function Sequences() {
  const { workspace, role } = useWhere();
  const [search, show] = useSearchState<Search>();
  const navigate = useNavigate();
  const status = STATUSES.find((it) => it === search.status);
  const sequences = useSequences(workspace.id, { q: search.q, status });
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  const create = mayWrite(role) && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => show({ create: true })}>
      {t('create')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      description={t('description')}
      call={{ path: '/api/v1/sequences' }}
      action={create}
    >
      <FoundList
        label={t('title')}
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
        empty={
          <Empty
            title={t('emptyTitle')}
            action={create || undefined}
            call={{ method: 'POST', path: '/api/v1/sequences', body: { name: t('namePlaceholder') } }}
          >
            {t('emptyText')}
          </Empty>
        }
      />
      {mayWrite(role) && (
        <CreateSequence opened={search.create === true} onClose={() => show({ create: undefined })} />
      )}
    </Page>
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
