import { useCallback, useEffect, useMemo } from 'react';
import { useWhere } from '../app/here';
import { Choice } from '../components/choice';
import { Empty, Failure, Waiting } from '../components/states';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { useNames } from './build/use-names';
import { FlowCanvas } from './canvas/flow-canvas';
import { asDefinition } from './definition';
import { FirstRun } from './first-run';
import { SPANS, type Span } from './spans';
import { sharesOf, talliesOf } from './statistics';
import classes from './statistics.module.css';
import { useStatistics } from './statistics-api';
import { StatisticsTable } from './statistics-table';
import type { PartProps } from './tabs';
import { useVersions } from './versions-api';

const t = texts('flow-statistics');

/** The statistics of a flow's runs, on the canvas and as a table. */
export default function StatisticsPart({ read: { flow }, search, show }: PartProps) {
  const { workspace } = useWhere();
  const { published } = useDrawn(flow.id, flow.version_published, search.version);
  const version = published?.number;
  const asked = useStatistics(workspace.id, flow.id, search.version, search.last);
  const names = useNames();
  const written = published?.definition;
  const definition = useMemo(() => asDefinition(written), [written]);
  const nodes = asked.data?.nodes;
  const tallies = useMemo(() => nodes && talliesOf(definition, nodes), [definition, nodes]);
  const shares = useMemo(() => nodes && sharesOf(nodes), [nodes]);
  const seeWaiting = useCallback((node: string) => show({ ...NOTHING, tab: 'runs', node }), [show]);
  const edit = () => show({ ...NOTHING, tab: 'build' });
  if (flow.version_published === null)
    return (
      <Empty title={t('unpublished')} action={<FirstRun flow={flow} edit={edit} />}>
        {t('unpublishedText')}
      </Empty>
    );
  return (
    <>
      <div className={classes.filters}>
        <Choice
          label={t('period')}
          width={170}
          all={t('ever')}
          value={search.last}
          options={(Object.keys(SPANS) as Span[]).map((value) => ({ value, label: t(`spans.${value}`) }))}
          onChange={(it) => show({ last: it as Span | undefined })}
        />
        <Choice
          label={t('version')}
          width={130}
          all={t('every')}
          value={search.version?.toString()}
          options={numbersUpTo(flow.version_published)}
          onChange={(it) => show({ version: it ? Number(it) : undefined, node: undefined })}
        />
        {asked.data && (
          <span className="dimmed" role="status">
            {t.rich('asOf', { time: <When at={asked.data.as_of} /> })}
          </span>
        )}
      </div>
      {asked.error && !asked.data ? (
        <Failure error={asked.error} retry={() => void asked.refetch()} />
      ) : !nodes || !version ? (
        <Waiting />
      ) : nodes.length === 0 ? (
        <Empty
          title={t('emptyTitle')}
          action={<FirstRun flow={flow} edit={edit} />}
          call={{
            method: 'POST',
            path: '/api/v1/contacts/external_id:ada/start-flow',
            body: { flow_id: flow.id },
          }}
        >
          {search.last || search.version ? t('emptyFiltered') : t('emptyText')}
        </Empty>
      ) : (
        <>
          <section className={classes.canvas} aria-label={t('canvas', { version: String(version) })}>
            <FlowCanvas
              definition={definition}
              tallies={tallies}
              figures={shares?.figures}
              weights={shares?.weights}
              onWaiting={seeWaiting}
              selected={search.node ? [search.node] : []}
              onSelect={([node]) => show({ node })}
              names={names}
            />
          </section>
          <StatisticsTable
            definition={definition}
            nodes={nodes}
            chosen={search.node}
            onChoose={(node) => show({ node })}
            names={names}
          />
        </>
      )}
    </>
  );
}

/** Search parameters of the statistics that do not apply to the list of runs. */
const NOTHING = { status: undefined, version: undefined, last: undefined };

/** The version to draw: the selected one, otherwise the newest. */
function useDrawn(id: string, newest: number | null, chosen: number | undefined) {
  const { workspace } = useWhere();
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useVersions(workspace.id, id, newest);
  const wanted = chosen ?? newest;
  const published = data?.pages.flatMap((it) => it.data).find((it) => it.number === wanted);
  // An old version may be on a later page.
  const further = data !== undefined && !published && hasNextPage && !isFetchingNextPage;
  useEffect(() => {
    if (further) void fetchNextPage();
  }, [further, fetchNextPage]);
  return { published };
}

function numbersUpTo(newest: number) {
  return Array.from({ length: newest }, (_, at) => {
    const number = (newest - at).toString();
    return { value: number, label: number };
  });
}
