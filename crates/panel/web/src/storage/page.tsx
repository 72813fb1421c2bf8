import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { Fact, Facts } from '../components/facts';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { Failure } from '../components/states';
import { Status } from '../components/status';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import { percent } from '../flows/statistics';
import { useRequests } from '../home/api';
import { busiest } from '../home/figures';
import { Gauge } from '../home/gauge';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { useLimit } from '../settings/api';
import { useStored } from './api';
import { inBytes, type Part, partsOf, type Stored } from './bytes';
import classes from './storage.module.css';

const t = texts('storage');

/** Settings › Plan and storage. */
export function PlanAndStorage() {
  const { workspace, administers } = useWhere();
  const stored = useStored(workspace.id);
  return (
    <Page
      title={t('title')}
      description={t('description')}
      call={{ path: `/platform/workspaces/${workspace.id}/storage`, credential: '$TIDINGS_TOKEN' }}
    >
      <Plan />
      {administers && <Use />}
      <Loaded asked={stored}>{(data) => <Kinds stored={data} />}</Loaded>
    </Page>
  );
}

function Plan() {
  const { workspace, inSandbox } = useWhere();
  const limit = useLimit(workspace.id);
  return (
    <Facts>
      <Fact name={t('plan')}>
        <Link to="/settings/workspace">{inSandbox ? t('sandbox') : workspace.plan}</Link>
      </Fact>
      <Fact name={t('limit')}>{limit === undefined ? '–' : number(limit)}</Fact>
    </Facts>
  );
}

/** The requests of the busiest minute compared with the limit. Only admins can read the usage log. */
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
        {t.rich('storedSize', {
          size: (
            <span key="size" className="figures">
              {inBytes(stored.total)}
            </span>
          ),
        })}
      </h2>
      <Allowed stored={stored} />
      <p className="dimmed">
        {stored.measured_at
          ? t.rich('measured', { time: <When key="time" at={stored.measured_at} isRealTime /> })
          : t('notYet')}
      </p>
      <DataTable label={t('stored')} columns={columns()} rows={partsOf(stored)} rowKey={(it) => it.kind} />
    </section>
  );
}

/** The limit of the plan, and what happens when it is reached. */
function Allowed({ stored: { total, limit, level } }: { stored: Stored }) {
  if (limit === null) return <p>{t('noLimit')}</p>;
  return (
    <p>
      {t('ofLimit', { share: percent(total / limit), limit: inBytes(limit) })}{' '}
      {level !== 'ok' && (
        <>
          <Status tone={level === 'full' ? 'bad' : 'wait'}>{t(`levels.${level}`)}</Status> {t('atLimit')}
        </>
      )}
    </p>
  );
}

const columns = (): Column<Part>[] => [
  {
    key: 'kind',
    header: t('kind'),
    render: (it) => <b className={classes.kind}>{t(`objects.${it.kind}`)}</b>,
  },
  {
    key: 'what',
    header: t('contents'),
    render: (it) => <span className="dimmed">{t(`contentsOf.${it.kind}`)}</span>,
  },
  {
    key: 'share',
    header: t('share'),
    width: 180,
    render: (it) => (
      <span className={classes.share} aria-hidden>
        <span style={{ width: `${it.share * 100}%` }} />
      </span>
    ),
  },
  {
    key: 'percent',
    header: t('percent'),
    align: 'end',
    render: (it) => percent(it.share),
  },
  {
    key: 'bytes',
    header: t('size'),
    align: 'end',
    render: (it) => <span title={`${number(it.bytes)} B`}>{inBytes(it.bytes)}</span>,
  },
];
