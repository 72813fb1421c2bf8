import { Button, Select, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { Status } from '../components/status';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import { en } from '../i18n/en';
import { type FlowSummary, useFlows } from './api';
import { CreateFlow } from './create';
import classes from './list.module.css';
import { matching } from './matching';
import { stateOf } from './state';

const words = en.flows;

interface Search {
  create?: boolean;
  q?: string;
  status?: string;
}

/** Automation › Flows. */
export function Flows() {
  const { workspace, role } = useWhere();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const flows = useFlows(workspace.id);
  const rows = flows.data?.pages.flatMap((page) => page.data) ?? [];
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
      call={{ path: '/api/v1/flows' }}
      action={create}
    >
      {flows.error && !flows.data ? (
        <Failure error={flows.error} retry={() => void flows.refetch()} />
      ) : flows.isPending ? (
        <Waiting />
      ) : rows.length === 0 ? (
        <Empty
          title={words.emptyTitle}
          action={create || undefined}
          call={{ method: 'POST', path: '/api/v1/flows', body: { name: 'Welcome' } }}
        >
          {words.emptyText}
        </Empty>
      ) : (
        <List
          rows={rows}
          total={flows.data.pages[0]?.total ?? rows.length}
          search={search}
          show={show}
          more={flows.hasNextPage ? () => void flows.fetchNextPage() : undefined}
          loadingMore={flows.isFetchingNextPage}
        />
      )}
      {mayWrite(role) && (
        <CreateFlow opened={search.create === true} onClose={() => show({ create: undefined })} />
      )}
    </Page>
  );
}

interface ListProps {
  rows: FlowSummary[];
  total: number;
  search: Search;
  show: (next: Search) => void;
  more: (() => void) | undefined;
  loadingMore: boolean;
}

function List({ rows, total, search, show, more, loadingMore }: ListProps) {
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
        <Select
          className={classes.state}
          aria-label={words.state}
          placeholder={words.allStates}
          clearable
          data={Object.entries(words.states).map(([value, label]) => ({ value, label }))}
          value={search.status ?? null}
          onChange={(status) => show({ status: status ?? undefined })}
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
          rowKey={(flow) => flow.id}
          onOpen={(flow) =>
            void navigate({
              to: '/flows/$id',
              params: { id: flow.id },
              search: ((it: { ws?: string }) => ({ ws: it.ws })) as never,
            })
          }
          more={more}
          loadingMore={loadingMore}
        />
      )}
    </>
  );
}

const COLUMNS: Column<FlowSummary>[] = [
  {
    key: 'name',
    header: words.name,
    render: (flow) => (
      <span className={classes.name} title={flow.name}>
        {flow.name}
      </span>
    ),
  },
  {
    key: 'state',
    header: words.state,
    render: (flow) => <Status tone={stateOf(flow).tone}>{words.states[flow.status]}</Status>,
  },
  {
    key: 'version',
    header: words.version,
    align: 'end',
    render: (flow) => flow.version_published ?? <span className="dimmed">{words.none}</span>,
  },
  {
    key: 'changes',
    header: words.draft,
    render: (flow) =>
      flow.has_unpublished_changes ? words.changes : <span className="dimmed">{words.noChanges}</span>,
  },
  { key: 'changed', header: words.changed, render: (flow) => <When at={flow.updated_at} /> },
];
