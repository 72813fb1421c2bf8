import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { SandboxNotice } from '../channels/sandbox-notice';
import { channelsOfFlow } from '../channels/sandbox-use';
import { ChoiceCards } from '../components/choice-cards';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import { type Running, useFlow, usePublish, type Versioned } from './api';
import { asDefinition } from './definition';
import { fromFaults } from './finding';
import { Findings } from './findings';
import { inFlight } from './state';

const words = en.flows;
const CHOICES = (Object.keys(words.running) as Running[]).map((value) => ({
  value,
  ...words.running[value],
}));

/** The primary action of a flow: its draft becomes the next version. */
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
        onClick={() => {
          // How many runs it meets is asked anew.
          void latest.refetch();
          ask(true);
        }}
      >
        {words.publishVersion(next)}
      </Button>
      <Modal
        opened={asking}
        onClose={close}
        size={560}
        title={words.publishTitle(next)}
        closeButtonProps={{ 'aria-label': en.common.close }}
      >
        <Stack gap="md">
          <Text>{words.publishHint}</Text>
          <SandboxNotice of={channelsOfFlow(asDefinition(flow.definition))} />
          {unsaved && (
            <Text c="var(--wait)" role="status">
              {words.publishUnsaved}
            </Text>
          )}
          {flow.version_published !== null && met > 0 && (
            <>
              <Text>{words.publishRuns(met, flow.version_published)}</Text>
              <ChoiceCards
                label={words.runningLabel}
                choices={CHOICES}
                value={running}
                onChange={setRunning}
              />
            </>
          )}
          {refused ? (
            <Findings label={words.publishRefused} findings={fromFaults((publish.error as Problem).faults)} />
          ) : conflict ? (
            <Text role="alert">{words.conflict}</Text>
          ) : (
            publish.error && <Failure error={publish.error} />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {en.common.cancel}
            </Button>
            <Button
              data-autofocus
              disabled={unsaved}
              loading={publish.isPending}
              onClick={() =>
                publish.mutate({ running, etag }, { onSuccess: close, onError: () => void latest.refetch() })
              }
            >
              {words.publishVersion(next)}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
