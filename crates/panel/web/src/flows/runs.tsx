import { Button } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useWhere } from '../app/here';
import { Choice } from '../components/choice';
import { FoundList } from '../components/found-list';
import { SideDrawer, stepIn } from '../components/side-drawer';
import { Empty } from '../components/states';
import { Status } from '../components/status';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { ContactLink } from './contact-link';
import { FirstRun } from './first-run';
import { labelInWords, type NodeLabels } from './node-labels';
import { NodeName } from './node-name';
import { Replay } from './replay';
import { STATUSES, toneOf, whereIs } from './run';
import { RunDetails } from './run-details';
import classes from './runs.module.css';
import { type FlowRun, type RunStatus, useRun, useRuns } from './runs-api';
import type { PartProps } from './tabs';
import { type FlowLabels, useVersionLabels } from './use-labels';
import { waitOf } from './wait';

const t = texts('flow-runs');

/** The runs of a flow and their results. */
export default function RunsPart({ read, search, show }: PartProps) {
  const { workspace } = useWhere();
  const { flow } = read;
  const status = STATUSES.find((it) => it === search.status);
  const { node } = search;
  const runs = useRuns(workspace.id, flow.id, { status, node });
  const rows = runs.data?.pages.flatMap((page) => page.data) ?? [];
  // The open run can be missing in the list, such as in a link.
  const { data: opened } = useRun(workspace.id, search.run);
  const shown = opened ? [...rows, opened] : rows;
  const labels = useVersionLabels(
    flow,
    shown.map((it) => it.flow_version),
  );
  const total = runs.data?.pages[0]?.total;
  // The index of the selected step in the trace.
  const [at, setAt] = useState<number>();
  const open = (run: string) => {
    setAt(undefined);
    show({ run });
  };
  const close = useCallback(() => show({ run: undefined }), [show]);
  const ids = rows.map((it) => it.id);
  return (
    <>
      <div className={classes.filters}>
        <Choice
          label={t('status')}
          width={160}
          value={status}
          options={STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
          onChange={(next) => show({ status: next, run: undefined })}
        />
        <Choice
          label={t('runs.at')}
          width={200}
          value={node}
          options={nodesOf(labels.draft, node)}
          onChange={(next) => show({ node: next, run: undefined })}
        />
        {total !== undefined && (
          <span className="dimmed figures" role="status">
            {t('runs.count', { count: total })}
          </span>
        )}
      </div>
      {search.run && <Replay id={search.run} flow={flow} at={at} onStep={setAt} />}
      <FoundList
        list={runs}
        label={t('runs.title')}
        columns={columns(labels)}
        rowKey={(run) => run.id}
        openKey={search.run}
        onOpen={(run) => open(run.id)}
        empty={
          <Empty
            title={nothing(status, node && nameOf(labels.draft, node))}
            action={
              status || node ? (
                <Button variant="default" onClick={() => show({ status: undefined, node: undefined })}>
                  {t('runs.showAll')}
                </Button>
              ) : (
                <FirstRun flow={flow} edit={() => show({ tab: 'build' })} />
              )
            }
            call={{
              method: 'POST',
              path: '/api/v1/contacts/external_id:ada/start-flow',
              body: { flow_id: flow.id },
            }}
          >
            {t('runs.emptyText')}
          </Empty>
        }
      />
      <SideDrawer label={t('runs.run')} id={search.run} step={stepIn(ids, search.run, open)} onClose={close}>
        {search.run && (
          <RunDetails key={search.run} id={search.run} flow={flow} labels={labels} at={at} onStep={setAt} />
        )}
      </SideDrawer>
    </>
  );
}

/**
 * The nodes for the filter: the nodes of the draft, and the selected one, which may belong to another
 * version.
 */
function nodesOf(draft: NodeLabels, chosen: string | undefined) {
  const drawn = [...draft.keys()].map((value) => ({ value, label: nameOf(draft, value) }));
  const isDrawn = chosen === undefined || drawn.some((it) => it.value === chosen);
  return isDrawn ? drawn : [{ value: chosen, label: chosen }, ...drawn];
}

/** The texts of a node, or its ID if the draft does not contain it. */
function nameOf(draft: NodeLabels, node: string): string {
  const label = draft.get(node);
  return label ? labelInWords(label) : node;
}

/** The text if no run matches the filter. `node` is the name of the node. */
function nothing(status: RunStatus | undefined, node: string | undefined): string {
  const word = status && t(`statuses.${status}`);
  if (node) return word ? t('runs.noneWithAt', { status: word, node }) : t('runs.noneAt', { node });
  return word ? t('runs.noneWith', { status: word }) : t('runs.emptyTitle');
}

const columns = (labels: FlowLabels): Column<FlowRun>[] => [
  { key: 'started', header: t('started'), render: (run) => <When at={run.started_at} /> },
  { key: 'contact', header: t('contact'), render: (run) => <ContactLink id={run.contact_id} /> },
  {
    key: 'state',
    header: t('status'),
    render: (run) => <Status tone={toneOf(run.status)}>{t(`statuses.${run.status}`)}</Status>,
  },
  { key: 'version', header: t('version'), align: 'end', render: (run) => run.flow_version },
  { key: 'node', header: t('node'), render: (run) => <CurrentNode run={run} labels={labels} /> },
  {
    key: 'where',
    header: t('runs.waitsFor'),
    render: (run) => (
      <span className={classes.why} title={whereIs(run)}>
        {run.wait && !run.error ? waitOf(run.wait) : whereIs(run)}
      </span>
    ),
  },
];

/** The node where a run waits or ended. */
function CurrentNode({ run, labels }: { run: FlowRun; labels: FlowLabels }) {
  if (run.node_id === null) return null;
  const type = run.trace.findLast((it) => it.node_id === run.node_id)?.type;
  return <NodeName id={run.node_id} type={type} labels={labels.of(run.flow_version)} short />;
}
