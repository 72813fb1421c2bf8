import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Choice } from '../components/choice';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { Status } from '../components/status';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import { broadcasts as words } from '../i18n/en/broadcasts';
import { useBroadcasts } from './api';
import classes from './broadcasts.module.css';
import { CreateBroadcast } from './create';
import { type Broadcast, type BroadcastStatus, percentOf, SUBSCRIBED, TONES } from './draft';

interface Search {
  create?: boolean;
  status?: string;
}

const STATES = Object.keys(words.states) as BroadcastStatus[];

/** Automation › Broadcasts. */
export function Broadcasts() {
  const { workspace, role } = useWhere();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const status = STATES.find((it) => it === search.status);
  const list = useBroadcasts(workspace.id, status);
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
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
      call={{ path: '/api/v1/broadcasts' }}
      action={create || undefined}
    >
      {list.error && !list.data ? (
        <Failure error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Waiting />
      ) : rows.length === 0 && !status ? (
        <Empty
          title={words.emptyTitle}
          action={create || undefined}
          call={{
            method: 'POST',
            path: '/api/v1/broadcasts',
            body: {
              name: words.namePlaceholder,
              audience: SUBSCRIBED,
              message: { type: 'text', text: 'We open at nine.' },
            },
          }}
        >
          {words.emptyText}
        </Empty>
      ) : (
        <>
          <div className={classes.filters}>
            <Choice
              label={words.state}
              width={150}
              value={status}
              options={STATES.map((value) => ({ value, label: words.states[value] }))}
              onChange={(next) => show({ status: next })}
            />
            <span className="dimmed figures" role="status">
              {words.count(list.data.pages[0]?.total ?? rows.length)}
            </span>
          </div>
          {rows.length === 0 ? (
            <Empty
              title={words.noMatch}
              action={
                <Button variant="default" onClick={() => show({ status: undefined })}>
                  {words.showAll}
                </Button>
              }
            >
              {words.noMatchHint}
            </Empty>
          ) : (
            <DataTable
              label={words.title}
              columns={COLUMNS}
              rows={rows}
              rowKey={(it) => it.id}
              onOpen={(it) => void navigate({ to: '/broadcasts/$id', params: { id: it.id } })}
              more={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
              loadingMore={list.isFetchingNextPage}
            />
          )}
        </>
      )}
      {mayWrite(role) && (
        <CreateBroadcast opened={search.create === true} onClose={() => show({ create: undefined })} />
      )}
    </Page>
  );
}

const figure = (key: keyof Broadcast['stats'], header: string): Column<Broadcast> => ({
  key,
  header,
  align: 'end',
  render: ({ stats, started_at: began }) =>
    began ? stats[key].toLocaleString('en') : <span className="dimmed">–</span>,
});

const COLUMNS: Column<Broadcast>[] = [
  {
    key: 'name',
    header: words.name,
    render: (it) => (
      <span className="named one-line" title={it.name}>
        {it.name}
      </span>
    ),
  },
  {
    key: 'state',
    header: words.state,
    render: (it) => (
      <Status tone={TONES[it.status]}>
        {words.states[it.status]}
        {it.status === 'sending' && ` ${percentOf(it.stats)} %`}
      </Status>
    ),
  },
  { key: 'when', header: words.when, render: (it) => <Moment of={it} /> },
  figure('targeted', words.targeted),
  figure('sent', words.sent),
  figure('delivered', words.delivered),
  figure('read', words.read),
  figure('failed', words.failed),
  figure('suppressed', words.suppressed),
];

/** When it ended, began or is to begin. */
function Moment({ of }: { of: Broadcast }) {
  const at = of.ended_at ?? of.started_at ?? of.scheduled_at;
  return at ? <When at={at} /> : <span className="dimmed">{words.atOnce}</span>;
}
