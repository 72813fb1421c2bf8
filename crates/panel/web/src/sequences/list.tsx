import { Button, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Choice } from '../components/choice';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { Status } from '../components/status';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import classes from '../flows/list.module.css';
import { matching } from '../flows/matching';
import { sequences as words } from '../i18n/en/sequences';
import { type SequenceRow, useSequences } from './api';
import { CreateSequence } from './create';
import { toneOf } from './state';
import { dayOf, earliest } from './steps';

interface Search {
  create?: boolean;
  q?: string;
  status?: string;
}

const OPTIONS = Object.entries(words.states).map(([value, label]) => ({ value, label }));

/** Automation › Sequences. */
export function Sequences() {
  const { workspace, role } = useWhere();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const sequences = useSequences(workspace.id);
  const rows = sequences.data?.pages.flatMap((page) => page.data) ?? [];
  const show = (next: Search) =>
    void navigate({ to: '.', search: ((it: Search) => ({ ...it, ...next })) as never, replace: true });
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
      {sequences.error && !sequences.data ? (
        <Failure error={sequences.error} retry={() => void sequences.refetch()} />
      ) : sequences.isPending ? (
        <Waiting />
      ) : rows.length === 0 ? (
        <Empty
          title={words.emptyTitle}
          action={create || undefined}
          call={{ method: 'POST', path: '/api/v1/sequences', body: { name: words.namePlaceholder } }}
        >
          {words.emptyText}
        </Empty>
      ) : (
        <List
          rows={rows}
          total={sequences.data.pages[0]?.total ?? rows.length}
          search={search}
          show={show}
          more={sequences.hasNextPage ? () => void sequences.fetchNextPage() : undefined}
          loadingMore={sequences.isFetchingNextPage}
        />
      )}
      {mayWrite(role) && (
        <CreateSequence opened={search.create === true} onClose={() => show({ create: undefined })} />
      )}
    </Page>
  );
}

interface ListProps {
  rows: SequenceRow[];
  total: number;
  search: Search;
  show: (next: Search) => void;
  more: (() => void) | undefined;
  loadingMore: boolean;
}

function List({ rows, total, search, show, more, loadingMore }: ListProps) {
  const { workspace } = useWhere();
  const navigate = useNavigate();
  // The address follows what is typed, not the other way round: it comes a moment later.
  const [text, setText] = useState(search.q ?? '');
  const filter = (next: string) => {
    setText(next);
    show({ q: next || undefined });
  };
  const shown = matching(rows, text, search.status);
  return (
    <>
      <div className={classes.filters}>
        <TextInput
          className={classes.filter}
          aria-label={words.filter}
          placeholder={words.filter}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => filter(event.currentTarget.value)}
        />
        <Choice
          label={words.state}
          width={150}
          value={search.status}
          options={OPTIONS}
          onChange={(status) => show({ status })}
        />
        <span className="dimmed figures" role="status">
          {shown.length === rows.length ? words.count(total) : words.countOf(shown.length, rows.length)}
        </span>
      </div>
      {shown.length === 0 ? (
        <Empty
          title={words.noMatch}
          action={
            <Button
              variant="default"
              onClick={() => {
                setText('');
                show({ q: undefined, status: undefined });
              }}
            >
              {words.clear}
            </Button>
          }
        >
          {words.noMatchHint}
        </Empty>
      ) : (
        <DataTable
          label={words.title}
          columns={COLUMNS}
          rows={shown}
          rowKey={(it) => it.id}
          onOpen={({ id }) =>
            void navigate({ to: '/sequences/$id', params: { id }, search: { ws: workspace.id } as never })
          }
          more={more}
          loadingMore={loadingMore}
        />
      )}
    </>
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
