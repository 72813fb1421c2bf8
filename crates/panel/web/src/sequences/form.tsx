import { Button, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { type Fault, Problem, sentence } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { SandboxNotice } from '../channels/sandbox-notice';
import { channelsOfSteps } from '../channels/sandbox-use';
import { Lost } from '../components/lost';
import { Surroundings } from '../flows/forms/context';
import { useDraft } from '../forms/use-draft';
import { VersionedForm } from '../forms/versioned';
import { faultMessage } from '../i18n/problems';
import { texts } from '../i18n/texts';
import { readSequence, type UpdateSequence, useSaveSequence, type Versioned } from './api';
import { Rules } from './rules';
import classes from './sequences.module.css';
import { StepCard } from './step-card';
import { added, type Draft, dayOf, draftOf, earliest, moved } from './steps';

const t = texts('sequences');

/** Edits the steps of a sequence and its exit and re-entry rules. */
export function SequenceForm({ read }: { read: Versioned }) {
  const { workspace, role } = useWhere();
  const { sequence, etag } = read;
  const saving = useSaveSequence(workspace.id, sequence.id);
  const [faults, setFaults] = useState<Fault[]>([]);
  const [open, setOpen] = useState<string>();
  const latest = useMemo(() => ({ draft: draftOf(sequence), etag }), [sequence, etag]);
  const editing = useDraft<Draft>({
    latest,
    read: async () => {
      const now = await readSequence(workspace.id, sequence.id);
      return { draft: draftOf(now.sequence), etag: now.etag };
    },
    save: async (changed, on) => {
      setFaults([]);
      try {
        return await saving.mutateAsync({ body: changed as UpdateSequence, etag: on });
      } catch (error) {
        if (error instanceof Problem) setFaults(error.faults);
        throw error;
      }
    },
  });
  const { draft, set } = editing;
  const writes = mayWrite(role);
  const times = earliest(draft.steps);
  const context = (within: string) => ({
    definition: { nodes: [] },
    fault: (field: string) => {
      const found = faults.find((it) => it.pointer === `${within}${field}`);
      return found && sentence(faultMessage(found));
    },
  });
  return (
    <VersionedForm editing={editing} nameOf={(field) => t(`fields.${field}`)}>
      <SandboxNotice of={channelsOfSteps(draft.steps)} />
      <ol className={classes.line}>
        {draft.steps.map((step, at) => (
          <li key={step.id} className={classes.stop}>
            <div className={classes.day}>
              {times[at] !== undefined && t('onDay', { day: dayOf(times[at] ?? 0) })}
            </div>
            <Surroundings value={context(`/steps/${at}`)}>
              <StepCard
                step={step}
                number={at + 1}
                last={at === draft.steps.length - 1}
                writes={writes}
                faulty={faults.some((it) => it.pointer?.startsWith(`/steps/${at}/`))}
                opened={open === step.id}
                onOpen={(opened) => setOpen(opened ? step.id : undefined)}
                onChange={(next) =>
                  set({ steps: draft.steps.map((it, place) => (place === at ? next : it)) })
                }
                onMove={(by) => set({ steps: moved(draft.steps, at, by) })}
                onRemove={() => set({ steps: draft.steps.filter((_, place) => place !== at) })}
              />
            </Surroundings>
          </li>
        ))}
      </ol>
      {draft.steps.length === 0 && <p className={classes.none}>{t('noSteps')}</p>}
      {writes && (
        <div className={classes.add}>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => {
              const steps = added(draft.steps);
              set({ steps });
              setOpen(steps.at(-1)?.id);
            }}
          >
            {t('addStep')}
          </Button>
        </div>
      )}
      <fieldset className={classes.rules} disabled={!writes}>
        <Title order={2}>{t('rules')}</Title>
        <Lost references={sequence.lost_references}>{t('lost')}</Lost>
        <Surroundings value={context('')}>
          <Rules draft={draft} set={set} />
        </Surroundings>
      </fieldset>
    </VersionedForm>
  );
}
