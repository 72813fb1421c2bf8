import { useWhere } from '../app/here';
import { useSearchState } from '../app/search-state';
import { ResourcePage } from '../components/resource-page';
import { SideDrawer, stepIn } from '../components/side-drawer';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { type Job, useDeadJobs } from './api';
import { JobDetails, Subject } from './details';

const t = texts('jobs');

/** Developers › Dead letters. */
export function DeadLetters() {
  const { workspace } = useWhere();
  const [search, show] = useSearchState<{ job?: string }>();
  const jobs = useDeadJobs(workspace.id);
  const rows = jobs.data?.pages.flatMap((page) => page.data) ?? [];
  const ids = rows.map((it) => it.id);
  return (
    <ResourcePage
      title={t('title')}
      description={t('description')}
      call={{ path: '/api/v1/jobs?status=dead' }}
      list={jobs}
      columns={columns()}
      rowKey={(it) => it.id}
      openKey={search.job}
      onOpen={(it) => show({ job: it.id })}
      empty={{ title: t('emptyTitle'), text: t('emptyText') }}
    >
      <SideDrawer
        label={t('job')}
        id={search.job}
        step={stepIn(ids, search.job, (job) => show({ job }))}
        onClose={() => show({ job: undefined })}
      >
        {search.job && !jobs.isPending && (
          <JobDetails key={search.job} job={rows.find((it) => it.id === search.job)} />
        )}
      </SideDrawer>
    </ResourcePage>
  );
}

const columns = (): Column<Job>[] => [
  { key: 'dead', header: t('failedAt'), render: (it) => it.dead_at && <When at={it.dead_at} /> },
  { key: 'kind', header: t('type'), render: (it) => <code>{it.kind}</code> },
  { key: 'subject', header: t('object'), render: (it) => <Subject job={it} /> },
  {
    key: 'error',
    header: t('error'),
    render: (it) => (
      <span className="one-line" title={it.error ?? undefined}>
        {it.error ?? <span className="dimmed">{t('noError')}</span>}
      </span>
    ),
  },
  { key: 'attempts', header: t('attempts'), align: 'end', render: (it) => number(it.attempts) },
];
