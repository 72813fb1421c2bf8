import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Choice } from '../components/choice';
import { FindBox } from '../components/find-box';
import { FoundList } from '../components/found-list';
import { Page } from '../components/page';
import { Empty } from '../components/states';
import { Status } from '../components/status';
import type { Column } from '../components/table';
import { When } from '../components/when';
import classes from '../flows/list.module.css';
import { sequences as words } from '../i18n/en/sequences';
import { type SequenceRow, type SequenceStatus, useSequences } from './api';
import { CreateSequence } from './create';
import { toneOf } from './state';
import { dayOf, earliest } from './steps';

interface Search {
  create?: boolean;
  q?: string;
  status?: string;
}

const STATES = Object.keys(words.states) as SequenceStatus[];

/** Automation › Sequences. */
export function Sequences() {
  const { workspace, role } = useWhere();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const status = STATES.find((it) => it === search.status);
  const sequences = useSequences(workspace.id, { q: search.q, status });
  const show = useCallback(
    (next: Search) =>
      void navigate({ to: '.', search: ((it: Search) => ({ ...it, ...next })) as never, replace: true }),
    [navigate],
  );
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  const create = mayWrite(role) && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => show({ create: true })}>
      {words.create}
    </Button>
  );
  return (
    <Page
      title={words.title}
      description={words.description}
      call={{ path: '/api/v1/sequences' }}
      action={create}
    >
      <FoundList
        label={words.title}
        list={sequences}
        columns={COLUMNS}
        onOpen={({ id }) =>
          void navigate({ to: '/sequences/$id', params: { id }, search: { ws: workspace.id } as never })
        }
        filters={
          <>
            <FindBox label={words.filter} value={search.q} onChange={find} />
            <Choice
              label={words.state}
              width={150}
              value={status}
              options={STATES.map((value) => ({ value, label: words.states[value] }))}
              onChange={(next) => show({ status: next })}
            />
          </>
        }
        isFiltered={Boolean(search.q || status)}
        noMatch={{ title: words.noMatch, hint: words.noMatchHint, clear: words.clear }}
        onClear={() => show({ q: undefined, status: undefined })}
        count={words.count}
        empty={
          <Empty
            title={words.emptyTitle}
            action={create || undefined}
            call={{ method: 'POST', path: '/api/v1/sequences', body: { name: words.namePlaceholder } }}
          >
            {words.emptyText}
          </Empty>
        }
      />
      {mayWrite(role) && (
        <CreateSequence opened={search.create === true} onClose={() => show({ create: undefined })} />
      )}
    </Page>
  );
}

const COLUMNS: Column<SequenceRow>[] = [
  {
    key: 'name',
    header: words.name,
    render: (it) => (
      <span className={classes.name} title={it.name}>
        {it.name}
      </span>
    ),
  },
  {
    key: 'state',
    header: words.state,
    render: (it) => <Status tone={toneOf(it.status)}>{words.states[it.status]}</Status>,
  },
  { key: 'steps', header: words.steps, align: 'end', render: (it) => it.steps.length },
  {
    key: 'lasts',
    header: words.lasts,
    render: (it) => {
      const last = earliest(it.steps).at(-1);
      return last !== undefined && words.onDay(dayOf(last));
    },
  },
  { key: 'changed', header: words.changed, render: (it) => <When at={it.updated_at} /> },
];
