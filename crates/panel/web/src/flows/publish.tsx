import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { SandboxNotice } from '../channels/sandbox-notice';
import { channelsOfFlow } from '../channels/sandbox-use';
import { ChoiceCards } from '../components/choice-cards';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import { type Running, useFlow, usePublish, type Versioned } from './api';
import { useNames } from './build/use-names';
import { asDefinition } from './definition';
import { fromFaults, labelsOfDraft } from './finding';
import { Findings } from './findings';
import classes from './page.module.css';
import { inFlight } from './state';

const t = texts('flows');
const RUNNING: Running[] = ['pin', 'migrate', 'cancel'];

/** A button that publishes the draft as the next version. */
export function Publish({ read, unsaved }: { read: Versioned; unsaved: boolean }) {
  const { workspace } = useWhere();
  const { flow, etag } = read;
  const [asking, ask] = useState(false);
  const [running, setRunning] = useState<Running>('pin');
  const publish = usePublish(workspace.id, flow.id);
  const latest = useFlow(workspace.id, flow.id);
  const next = (flow.version_published ?? 0) + 1;
  const met = inFlight(flow.stats);
  const close = () => {
    ask(false);
    publish.reset();
  };
  const refused = publish.error instanceof Problem && publish.error.code === 'validation_failed';
  const conflict = publish.error instanceof Problem && publish.error.status === 412;
  return (
    <>
      <Button
        aria-label={t('publishVersion', { version: String(next) })}
        className={classes.publish}
        onClick={() => {
          // Read the number of affected runs again.
          void latest.refetch();
          ask(true);
        }}
      >
        <span className={classes.long}>{t('publishVersion', { version: String(next) })}</span>
        <span className={classes.short}>{t('publish')}</span>
      </Button>
      <Modal
        opened={asking}
        onClose={close}
        size={560}
        title={t('publishTitle', { version: String(next) })}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Stack gap="md">
          <Text>{t('publishHint')}</Text>
          <SandboxNotice of={channelsOfFlow(asDefinition(flow.definition))} />
          {unsaved && (
            <Text c="var(--wait)" role="status">
              {t('publishUnsaved')}
            </Text>
          )}
          {flow.version_published !== null && met > 0 && (
            <>
              <Text>{t('publishRuns', { count: met, version: String(flow.version_published) })}</Text>
              <ChoiceCards
                label={t('runningLabel')}
                choices={RUNNING.map((it) => ({
                  value: it,
                  name: t(`running.${it}.name`),
                  says: t(`running.${it}.hint`),
                }))}
                value={running}
                onChange={setRunning}
              />
            </>
          )}
          {refused ? (
            <Refused problem={publish.error as Problem} definition={flow.definition} />
          ) : conflict ? (
            <Text role="alert">{t('conflict')}</Text>
          ) : (
            publish.error && <Failure error={publish.error} />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button
              data-autofocus
              disabled={unsaved}
              loading={publish.isPending}
              onClick={() =>
                publish.mutate({ running, etag }, { onSuccess: close, onError: () => void latest.refetch() })
              }
            >
              {t('publishVersion', { version: String(next) })}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

/** The errors that prevent the publication. */
function Refused({ problem, definition }: { problem: Problem; definition: unknown }) {
  const labels = labelsOfDraft(definition, useNames());
  return (
    <Findings
      label={t('publishRefused')}
      findings={fromFaults(problem.faults, labels)}
      definition={definition}
      labels={labels}
    />
  );
}
