import { useNavigate, useSearch } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { Page } from '../components/page';
import { SideDrawer } from '../components/side-drawer';
import { Empty, Failure, Waiting } from '../components/states';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import { en } from '../i18n/en';
import { type Job, useDeadJobs } from './api';
import { JobDetails, Subject } from './details';

const words = en.jobs;

/** Developers › Dead letters. */
export function DeadLetters() {
  const { workspace } = useWhere();
  const search = useSearch({ strict: false }) as { job?: string };
  const navigate = useNavigate();
  const jobs = useDeadJobs(workspace.id);
  const rows = jobs.data?.pages.flatMap((page) => page.data) ?? [];
  const show = (job: string | undefined) =>
    void navigate({
      to: '.',
      search: ((it: object) => ({ ...it, job })) as never,
      replace: true,
      resetScroll: false,
    });
  const step = (by: 1 | -1) => {
    const at = rows.findIndex((it) => it.id === search.job);
    const next = at < 0 ? undefined : rows[at + by];
    return next && (() => show(next.id));
  };
  return (
    <Page title={words.title} description={words.description} call={{ path: '/api/v1/jobs?status=dead' }}>
      {jobs.error && !jobs.data ? (
        <Failure error={jobs.error} retry={() => void jobs.refetch()} />
      ) : jobs.isPending ? (
        <Waiting />
      ) : rows.length === 0 ? (
        <Empty title={words.emptyTitle}>{words.emptyText}</Empty>
      ) : (
        <DataTable
          label={words.title}
          columns={COLUMNS}
          rows={rows}
          rowKey={(it) => it.id}
          openKey={search.job}
          onOpen={(it) => show(it.id)}
          more={jobs.hasNextPage ? () => void jobs.fetchNextPage() : undefined}
          loadingMore={jobs.isFetchingNextPage}
        />
      )}
      <SideDrawer label={words.job} id={search.job} step={step} onClose={() => show(undefined)}>
        {search.job && !jobs.isPending && (
          <JobDetails key={search.job} job={rows.find((it) => it.id === search.job)} />
        )}
      </SideDrawer>
    </Page>
  );
}

const COLUMNS: Column<Job>[] = [
  { key: 'dead', header: words.putAside, render: (it) => it.dead_at && <When at={it.dead_at} /> },
  { key: 'kind', header: words.kind, render: (it) => <code>{it.kind}</code> },
  { key: 'subject', header: words.subject, render: (it) => <Subject job={it} /> },
  {
    key: 'error',
    header: words.error,
    render: (it) => (
      <span className="one-line" title={it.error ?? undefined}>
        {it.error ?? <span className="dimmed">{words.noError}</span>}
      </span>
    ),
  },
  { key: 'attempts', header: words.attempts, align: 'end', render: (it) => it.attempts },
];
