import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { Fact, Facts } from '../components/facts';
import { Page } from '../components/page';
import { Failure, Waiting } from '../components/states';
import { Status } from '../components/status';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import { percent } from '../flows/statistics';
import { useRequests } from '../home/api';
import { busiest } from '../home/figures';
import { Gauge } from '../home/gauge';
import { storage as words } from '../i18n/en/storage';
import { useLimit } from '../settings/api';
import { useStored } from './api';
import { inBytes, type Part, partsOf, type Stored } from './bytes';
import classes from './storage.module.css';

/** Settings › Plan and storage. */
export function PlanAndStorage() {
  const { workspace, administers } = useWhere();
  const stored = useStored(workspace.id);
  return (
    <Page
      title={words.title}
      description={words.description}
      call={{ path: `/platform/workspaces/${workspace.id}/storage`, credential: '$TIDINGS_TOKEN' }}
    >
      <Plan />
      {administers && <Use />}
      {stored.error && !stored.data ? (
        <Failure error={stored.error} retry={() => void stored.refetch()} />
      ) : stored.data ? (
        <Kinds stored={stored.data} />
      ) : (
        <Waiting />
      )}
    </Page>
  );
}

function Plan() {
  const { workspace, inSandbox } = useWhere();
  const limit = useLimit(workspace.id);
  return (
    <Facts>
      <Fact name={words.plan}>
        <Link to="/settings/workspace">{inSandbox ? words.sandbox : workspace.plan}</Link>
      </Fact>
      <Fact name={words.limit}>{limit === undefined ? '–' : limit.toLocaleString('en')}</Fact>
    </Facts>
  );
}

/** How near requests come to the limit; the log that it is counted from is for admins. */
function Use() {
  const { workspace } = useWhere();
  const hour = useRequests(workspace.id, 1);
  const limit = useLimit(workspace.id);
  if (hour.error) return <Failure error={hour.error} retry={() => void hour.refetch()} />;
  return (
    <div className={classes.use}>
      <Gauge used={hour.data && busiest(hour.data.data)} limit={limit} plan={workspace.plan} />
    </div>
  );
}

function Kinds({ stored }: { stored: Stored }) {
  return (
    <section className={classes.section} aria-labelledby="stored">
      <h2 id="stored">
        {words.stored} <span className="figures">{inBytes(stored.total)}</span>
      </h2>
      <Allowed stored={stored} />
      <p className="dimmed">
        {words.counted}{' '}
        {stored.measured_at ? (
          <>
            {words.measured} <When at={stored.measured_at} isRealTime />.
          </>
        ) : (
          words.notYet
        )}
      </p>
      <DataTable label={words.stored} columns={COLUMNS} rows={partsOf(stored)} rowKey={(it) => it.kind} />
    </section>
  );
}

/** How much the plan allows, and what happens at its limit. */
function Allowed({ stored: { total, limit, level } }: { stored: Stored }) {
  if (limit === null) return <p>{words.noLimit}</p>;
  return (
    <p>
      {words.ofLimit(percent(total / limit), inBytes(limit))}{' '}
      {level !== 'ok' && (
        <>
          <Status tone={level === 'full' ? 'bad' : 'wait'}>{words.levels[level]}</Status> {words.atLimit}
        </>
      )}
    </p>
  );
}

const COLUMNS: Column<Part>[] = [
  { key: 'kind', header: words.kind, render: (it) => <b className={classes.kind}>{words.kinds[it.kind]}</b> },
  {
    key: 'what',
    header: words.what,
    render: (it) => <span className="dimmed">{words.whats[it.kind]}</span>,
  },
  {
    key: 'share',
    header: words.share,
    width: 180,
    render: (it) => (
      <span className={classes.share} aria-hidden>
        <span style={{ width: `${it.share * 100}%` }} />
      </span>
    ),
  },
  {
    key: 'percent',
    header: words.percent,
    align: 'end',
    render: (it) => percent(it.share),
  },
  {
    key: 'bytes',
    header: words.size,
    align: 'end',
    render: (it) => <span title={`${it.bytes.toLocaleString('en')} B`}>{inBytes(it.bytes)}</span>,
  },
];
