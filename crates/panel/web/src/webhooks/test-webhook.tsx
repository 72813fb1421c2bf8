import { Button, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { GuardedDrawer } from '../components/guarded';
import { Failure } from '../components/states';
import { Status } from '../components/status';
import { useEventTypes } from '../events/api';
import { apiMessage } from '../i18n/api-messages';
import { texts } from '../i18n/texts';
import { AnswerParts } from './answer-parts';
import { type TestOutcome, useTestWebhook, type Webhook } from './api';
import { durationOf } from './health';
import { ALL } from './kinds';
import classes from './webhooks.module.css';

const t = texts('webhooks');

interface Props {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

export function TestWebhook({ webhook, opened, onClose }: Props) {
  const { workspace } = useWhere();
  const types = useEventTypes(workspace.id);
  const test = useTestWebhook(workspace.id, webhook.id);
  const wanted = webhook.events.includes(ALL)
    ? (types.data ?? []).filter((it) => it.can_happen).map((it) => it.type)
    : webhook.events;
  const [chosen, choose] = useState<string>();
  const kind = chosen ?? wanted[0];
  return (
    <GuardedDrawer
      opened={opened}
      onClose={() => {
        onClose();
        test.reset();
      }}
      title={t('test')}
    >
      <Text c="dimmed" mb="md">
        {t('testHint')}
      </Text>
      <Select
        label={t('testType')}
        data={wanted}
        value={kind ?? null}
        searchable={wanted.length > 10}
        allowDeselect={false}
        onChange={(next) => choose(next ?? undefined)}
      />
      <Group mt="md">
        <Button loading={test.isPending} disabled={!kind} onClick={() => test.mutate(kind)} data-autofocus>
          {test.data ? t('sendAgain') : t('send')}
        </Button>
      </Group>
      <div className={classes.outcome} role="status">
        {test.error && <Failure error={test.error} />}
        {test.data && !test.isPending && <Outcome outcome={test.data} />}
      </div>
    </GuardedDrawer>
  );
}

/** The result of a test of a webhook or channel. */
export function Outcome({ outcome }: { outcome: TestOutcome }) {
  const { succeeded, status, duration_ms, error } = outcome;
  const duration = durationOf(duration_ms);
  const said =
    status === null
      ? t('testUnanswered', { duration })
      : succeeded
        ? t('testAccepted', { status: String(status), duration })
        : t('testRejected', { status: String(status), duration });
  return (
    <>
      <Status tone={succeeded ? 'ok' : 'bad'}>{said}</Status>
      {error && <p className={classes.error}>{apiMessage(error)}</p>}
      {status !== null && <AnswerParts headers={outcome.headers} body={outcome.body} />}
    </>
  );
}
