import { Button, Group } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem, sentence } from '../api/problem';
import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { Failure } from '../components/states';
import { expectationMessage, nodesExpectation } from '../i18n/findings';
import { list } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Answer } from '../simulation/api';
import { expectationOf, keptAs, type Story, withScript } from '../simulation/story';
import { useFlow, useSaveFlow, type Versioned } from './api';
import type { Definition } from './definition';
import { nodeInWords } from './finding';
import { KeepScript, ScriptJson } from './keep-script';
import type { NodeLabels } from './node-labels';
import type { FlowSearch } from './search';
import classes from './simulate.module.css';

const t = texts('simulation');
const flowTexts = texts('flows');

interface Props {
  read: Versioned;
  definition: Definition;
  story: Story;
  setStory: (story: Story) => void;
  /** The name of the selected script. */
  kept: string | undefined;
  /** Whether the simulation differs from the saved script. */
  changed: boolean;
  answer: Answer | undefined;
  /** The combined result of all saved scripts. */
  together: Answer | undefined;
  labels: NodeLabels;
  show: (next: FlowSearch) => void;
}

/** The saved scripts of a flow, with their results and the nodes that no script visits. */
export function Scripts(props: Props) {
  const { read, definition, story, setStory, kept, changed, answer, together, labels, show } = props;
  const { workspace } = useWhere();
  const latest = useFlow(workspace.id, read.flow.id);
  const save = useSaveFlow(workspace.id, read.flow.id);
  const [asking, ask] = useState<'keep' | 'json' | 'delete'>();
  const leave = () => {
    ask(undefined);
    save.reset();
  };
  const scripts = definition.scripts ?? [];
  const nodes = definition.nodes.length;
  const simulation = answer?.simulations[0];
  const left = together?.not_visited.nodes ?? [];
  const inWords = (id: string) => nodeInWords(id, labels);
  const nameOf = (id: string) => t('quoted', { text: inWords(id) });
  const write = (all: object[], then: string | undefined) =>
    save.mutate(
      { body: { definition: { ...read.flow.definition, scripts: all } as never }, etag: read.etag },
      {
        onSuccess: () => {
          leave();
          show({ script: then });
        },
        onError: () => void latest.refetch(),
      },
    );
  const conflict = save.error instanceof Problem && save.error.status === 412;
  return (
    <section className={classes.scripts} aria-label={t('scripts')}>
      <div className={classes.row}>
        <button
          type="button"
          className={classes.script}
          aria-pressed={kept === undefined}
          onClick={() => show({ script: undefined })}
        >
          {t('freely')}
        </button>
        {scripts.map((it, at) => (
          <ScriptChip
            // biome-ignore lint/suspicious/noArrayIndexKey: scripts may have no name or the same name
            key={at}
            name={it.name ?? String(at + 1)}
            expects={it.expect !== undefined}
            failed={together?.simulations[at]?.failed_expectations.length}
            chosen={it.name !== undefined && it.name === kept}
            onChoose={() => show({ script: it.name })}
          />
        ))}
        <Group gap={4} ml="auto">
          <Button size="xs" variant="subtle" color="gray" onClick={() => ask('json')}>
            {t('asJson')}
          </Button>
          {kept !== undefined && (
            <Button size="xs" variant="subtle" color="gray" onClick={() => ask('delete')}>
              {t('remove')}
            </Button>
          )}
          {kept !== undefined && changed && (
            <Button
              size="xs"
              variant="default"
              loading={save.isPending}
              onClick={() => write(withScript(scripts, keptAs(kept, story)), kept)}
            >
              {t('update')}
            </Button>
          )}
          {(kept === undefined || changed) && answer && (
            <Button size="xs" variant="default" onClick={() => ask('keep')}>
              {t('keep')}
            </Button>
          )}
        </Group>
      </div>
      <p className={classes.covered} role="status">
        {answer &&
          t('covered', {
            script: kept ?? t('title'),
            count: nodes - answer.not_visited.nodes.length,
            all: nodes,
          })}{' '}
        {together && t('coveredTogether', { count: nodes - left.length, all: nodes })}{' '}
        {left.length > 0 && t('notCovered', { nodes: list(left.map(nameOf), 'disjunction') })}{' '}
        {answer && answer.left_out.length > 0 && t('leftOut')}
      </p>
      {simulation && simulation.failed_expectations.length > 0 && (
        <div className={classes.failed} role="alert">
          <p>{t('unexpected')}</p>
          <ul>
            {simulation.failed_expectations.map((it) => (
              <li key={it.pointer}>{sentence(nodesExpectation(it, inWords) ?? expectationMessage(it))}</li>
            ))}
          </ul>
        </div>
      )}
      {save.error &&
        asking === undefined &&
        (conflict ? <p role="alert">{flowTexts('conflict')}</p> : <Failure error={save.error} />)}
      <KeepScript
        opened={asking === 'keep'}
        taken={kept}
        pending={save.isPending}
        error={save.error}
        onClose={leave}
        onKeep={(name, expects) =>
          write(
            withScript(
              scripts,
              keptAs(
                name,
                story,
                expects && simulation ? expectationOf(simulation, read.flow.id) : story.expect,
              ),
            ),
            name,
          )
        }
      />
      <ScriptJson
        opened={asking === 'json'}
        story={story}
        onClose={leave}
        onApply={(next) => {
          leave();
          setStory(next);
        }}
      />
      <Confirm
        title={t('removeTitle', { name: kept ?? '' })}
        verb={t('remove')}
        opened={asking === 'delete'}
        pending={save.isPending}
        error={save.error}
        onClose={leave}
        onConfirm={() =>
          write(
            scripts.filter((it) => it.name !== kept),
            undefined,
          )
        }
      >
        {t('removeHint')}
      </Confirm>
    </section>
  );
}

interface ChipProps {
  name: string;
  expects: boolean;
  /** The number of failed expectations. `undefined` until the script ran. */
  failed: number | undefined;
  chosen: boolean;
  onChoose: () => void;
}

function ScriptChip({ name, expects, failed, chosen, onChoose }: ChipProps) {
  return (
    <button type="button" className={classes.script} aria-pressed={chosen} title={name} onClick={onChoose}>
      <span className={classes.name}>{name}</span>
      {expects && failed === 0 && <IconCheck size={14} className={classes.ok} aria-label={t('asExpected')} />}
      {expects && failed !== undefined && failed > 0 && (
        <IconX size={14} className={classes.bad} aria-label={t('otherwise')} />
      )}
    </button>
  );
}
