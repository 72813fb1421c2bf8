import { Button, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sentence } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Code } from '../components/code';
import { Confirm } from '../components/confirm';
import { Details } from '../components/details';
import { Id } from '../components/id';
import { Failure, Waiting } from '../components/states';
import { Status } from '../components/status';
import { absolute } from '../components/time';
import { errorMessage } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import type { Flow } from './api';
import { ContactLink } from './contact-link';
import { lives, toneOf } from './run';
import classes from './runs.module.css';
import { type FlowRun, useCancelRun, useRun } from './runs-api';
import { Trace } from './trace';
import type { FlowLabels } from './use-labels';
import { waitOf } from './wait';

const t = texts('flow-runs');

interface Props {
  id: string;
  flow: Flow;
  labels: FlowLabels;
  /** The index of the selected step. */
  at: number | undefined;
  onStep: (at: number) => void;
}

export function RunDetails({ id, flow, labels, at, onStep }: Props) {
  const { workspace, role } = useWhere();
  const run = useRun(workspace.id, id);
  const cancel = useCancelRun(workspace.id, flow.id);
  const [asking, ask] = useState(false);
  const leave = () => {
    ask(false);
    cancel.reset();
  };
  if (run.error && !run.data) return <Failure error={run.error} retry={() => void run.refetch()} />;
  if (!run.data) return <Waiting />;
  const it = run.data;
  return (
    <div className={classes.details}>
      <Facts run={it} />
      {lives(it) && mayWrite(role) && (
        <div>
          <Button variant="outline" color="red.8" className="danger" onClick={() => ask(true)}>
            {t('runs.cancel')}
          </Button>
        </div>
      )}
      <section aria-labelledby="trace">
        <Title order={2} id="trace" mb="xs">
          {t('stepByStep')}
        </Title>
        <Trace run={it} labels={labels.of(it.flow_version)} at={at} onStep={onStep} />
      </section>
      {Object.keys(it.vars).length > 0 && (
        <section aria-labelledby="vars">
          <Title order={2} id="vars" mb="xs">
            {t('variables')}
          </Title>
          <Code text={JSON.stringify(it.vars, null, 2)} what={t('variables')} />
        </section>
      )}
      <Confirm
        title={t('runs.cancelTitle')}
        verb={t('runs.cancel')}
        opened={asking}
        pending={cancel.isPending}
        error={cancel.error}
        onClose={leave}
        onConfirm={() => cancel.mutate(id, { onSuccess: leave })}
      >
        {t('runs.cancelHint')}
      </Confirm>
    </div>
  );
}

function Facts({ run }: { run: FlowRun }) {
  const rows: [string, React.ReactNode][] = [
    [
      t('status'),
      <Status key="state" tone={toneOf(run.status)}>
        {t(`statuses.${run.status}`)}
      </Status>,
    ],
  ];
  if (run.error) rows.push([t('reason'), `${sentence(errorMessage(run.error))} (${run.error.code})`]);
  if (run.wait) {
    rows.push([t('runs.waitsFor'), <span key="wait">{waitOf(run.wait)}</span>]);
  }
  rows.push(
    [t('contact'), <ContactLink key="contact" id={run.contact_id} />],
    [t('version'), String(run.flow_version)],
    [t('runs.startedBy'), t.find('senders', run.started_by.type) ?? run.started_by.type],
    [t('started'), absolute(run.started_at)],
  );
  if (run.ended_at) rows.push([t('ended'), absolute(run.ended_at)]);
  if (run.called_by) {
    rows.push([
      t('runs.calledBy'),
      <span key="caller">
        <Link to="/objects/$id" params={{ id: run.called_by }}>
          {t('runs.run')}
        </Link>{' '}
        <Id id={run.called_by} />
      </span>,
    ]);
  }
  rows.push([t('id'), <Id key="id" id={run.id} />]);
  return <Details rows={rows} />;
}
