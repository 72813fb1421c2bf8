import { Button, Group, Title } from '@mantine/core';
import { useState } from 'react';
import { sentence } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Confirm } from '../components/confirm';
import { Details } from '../components/details';
import { Id } from '../components/id';
import { Failure } from '../components/states';
import { Status } from '../components/status';
import { absolute } from '../components/time';
import { When } from '../components/when';
import { ContactLink } from '../flows/contact-link';
import runClasses from '../flows/runs.module.css';
import { errorMessage, outcomeText } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import { type Act, type Enrollment, useEnrolling } from './api';
import classes from './sequences.module.css';
import { toneOfEnrollment } from './state';
import { StepName } from './step-name';
import type { Step } from './steps';

const t = texts('sequences');

interface Props {
  enrollment: Enrollment;
  /** The steps of the sequence. */
  steps: Step[];
}

export function EnrollmentDetails({ enrollment: it, steps }: Props) {
  const { workspace, role, administers } = useWhere();
  const enrolling = useEnrolling(workspace.id, it.sequence_id);
  const [asking, ask] = useState(false);
  const act = (what: Act) =>
    enrolling.mutate({ act: what, contact: it.contact_id }, { onSuccess: () => ask(false) });
  const lives = it.status === 'active' || it.status === 'paused';
  const rows: [string, React.ReactNode][] = [
    [
      t('status'),
      <Status key="state" tone={toneOfEnrollment(it.status)}>
        {t(`statuses.${it.status}`)}
      </Status>,
    ],
    [t('contact'), <ContactLink key="contact" id={it.contact_id} />],
    [t('since'), absolute(it.created_at)],
  ];
  if (it.step_id) rows.push([t('nextStep'), <StepName key="next" id={it.step_id} steps={steps} />]);
  if (it.next_run_at) rows.push([t('due'), <When key="when" at={it.next_run_at} canBeFuture />]);
  if (it.error) rows.push([t('reason'), sentence(errorMessage(it.error))]);
  else if (it.exit_reason) rows.push([t('reason'), t(`exitReasons.${it.exit_reason}`)]);
  rows.push([t('id'), <Id key="id" id={it.id} />]);
  return (
    <div className={classes.details}>
      <Details rows={rows} />
      {lives && mayWrite(role) && (
        <Group gap="xs">
          {it.status === 'active' ? (
            <Button variant="default" loading={enrolling.isPending} onClick={() => act('pause')}>
              {t('pause')}
            </Button>
          ) : (
            <Button variant="default" loading={enrolling.isPending} onClick={() => act('resume')}>
              {t('resume')}
            </Button>
          )}
          {administers && (
            <Button variant="outline" color="red.8" className="danger" onClick={() => ask(true)}>
              {t('remove')}
            </Button>
          )}
        </Group>
      )}
      {enrolling.error && !asking && <Failure error={enrolling.error} />}
      <section aria-labelledby="done">
        <Title order={2} id="done" mb="xs">
          {t('doneSteps')}
        </Title>
        {it.steps_done.length === 0 && <p className="dimmed">{t('nothingDone')}</p>}
        <ol className={runClasses.trace}>
          {it.steps_done.map((done) => (
            <li key={`${done.step_id} ${done.at}`}>
              <span className={runClasses.of}>
                <StepName id={done.step_id} steps={steps} />
                <span className="dimmed">{outcomeText(done, absolute)}</span>
                <time className={runClasses.time} dateTime={done.at}>
                  {absolute(done.at)}
                </time>
              </span>
            </li>
          ))}
        </ol>
      </section>
      <Confirm
        title={t('exitTitle')}
        verb={t('exitVerb')}
        opened={asking}
        pending={enrolling.isPending}
        error={enrolling.error}
        onClose={() => ask(false)}
        onConfirm={() => act('exit')}
      >
        {t('exitHint')}
      </Confirm>
    </div>
  );
}
