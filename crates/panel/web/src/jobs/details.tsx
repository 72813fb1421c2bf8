import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Code } from '../components/code';
import { Confirm } from '../components/confirm';
import { Details } from '../components/details';
import { Id, shortened } from '../components/id';
import { ObjectLink } from '../components/object-link';
import { Failure } from '../components/states';
import { When } from '../components/when';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { type Job, useDropJob, useRetryJob } from './api';

const t = texts('jobs');

/** The object of a job, as a link if it has a page. */
export function Subject({ job }: { job: Job }) {
  const { type, id } = job.subject;
  return (
    <ObjectLink id={id} className="mono-small">
      {id ? shortened(id) : type}
    </ObjectLink>
  );
}

/** A dead letter with its error, and buttons to retry or discard it. */
export function JobDetails({ job }: { job: Job | undefined }) {
  const { workspace, role, administers } = useWhere();
  const [asking, ask] = useState(false);
  const retry = useRetryJob(workspace.id);
  const drop = useDropJob(workspace.id);
  if (retry.isSuccess) return <Text role="status">{t('retried')}</Text>;
  if (!job) return <Text c="dimmed">{t('gone')}</Text>;
  return (
    <>
      <Details
        rows={[
          [t('type'), <code key="kind">{job.kind}</code>],
          [t('object'), <Subject key="subject" job={job} />],
          [t('failedAt'), job.dead_at ? <When key="dead" at={job.dead_at} /> : t('never')],
          [t('due'), <When key="due" at={job.due_at} canBeFuture />],
          [t('attempts'), number(job.attempts)],
          [t('id'), <Id key="id" id={job.id} />],
        ]}
      />
      <Text fw={500} mt="md" mb="xs">
        {t('error')}
      </Text>
      {job.error ? <Code text={job.error} what={t('theError')} /> : <Text c="dimmed">{t('noError')}</Text>}
      {!job.is_retriable && (
        <Text c="dimmed" mt="md">
          {t('notRetriable')}
        </Text>
      )}
      {retry.error && <Failure error={retry.error} />}
      <Group mt="lg" gap="xs">
        {mayWrite(role) && job.is_retriable && (
          <Button loading={retry.isPending} onClick={() => retry.mutate(job.id)}>
            {t('retry')}
          </Button>
        )}
        {administers && (
          <Button variant="outline" color="red.8" className="danger" onClick={() => ask(true)}>
            {t('discard')}
          </Button>
        )}
      </Group>
      <Confirm
        title={t('discardTitle')}
        verb={t('discard')}
        opened={asking}
        pending={drop.isPending}
        error={drop.error}
        onClose={() => ask(false)}
        onConfirm={() => drop.mutate(job.id, { onSuccess: () => ask(false) })}
      >
        {t('discardHint', { type: job.kind, object: shortened(job.subject.id || job.subject.type) })}
      </Confirm>
    </>
  );
}
