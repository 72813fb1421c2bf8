import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useWhere } from '../app/here';
import { texts } from '../i18n/texts';
import { useKeptScripts, useStory } from '../simulation/api';
import { linesOf } from '../simulation/lines';
import { Phone } from '../simulation/phone';
import { Steps } from '../simulation/steps';
import type { Story } from '../simulation/story';
import { isBegun } from '../simulation/story';
import { Who } from '../simulation/who';
import { useNames } from './build/use-names';
import { FlowCanvas } from './canvas/flow-canvas';
import { asDefinition, type Definition } from './definition';
import { litBy } from './graph/lit';
import { useContactName } from './runs-api';
import { Scripts } from './scripts';
import classes from './simulate.module.css';
import type { PartProps } from './tabs';
import { useSimulatedLabels } from './use-labels';

const t = texts('simulation');

/** Simulates a flow with events that the user enters. */
export default function SimulatePart(props: PartProps) {
  const { read, search } = props;
  const definition = useMemo(() => asDefinition(read.flow.definition), [read.flow.definition]);
  const kept = definition.scripts?.find((it) => it.name !== undefined && it.name === search.script);
  return (
    <Player
      key={kept ? `script ${kept.name}` : ''}
      initial={kept ?? beginning(definition)}
      kept={kept?.name}
      definition={definition}
      {...props}
    />
  );
}

/** The initial simulation. A flow without keyword, referral or custom event triggers is started by the API. */
function beginning({ triggers }: Definition): Story {
  const told = triggers?.some((it) => ['keyword', 'referral', 'custom_event'].includes(it.type));
  return { contact: { first_name: 'Ada' }, script: [], ...(!told && { start: 'api' as const }) };
}

interface Props extends PartProps {
  initial: Story;
  kept: string | undefined;
  definition: Definition;
}

function Player({ read, typed, show, initial, kept, definition }: Props) {
  const ws = useWhere().workspace.id;
  const [story, setStory] = useState(initial);
  const [asking, ask] = useState(false);
  const [chosen, choose] = useState<number>();
  const it = { kind: 'flow', id: read.flow.id, etag: read.etag } as const;
  const played = useStory(ws, it, story);
  const all = useKeptScripts(ws, it, (definition.scripts ?? []).length > 0);
  const name = useContactName(ws, story.contact_id) ?? story.contact?.first_name ?? t('somebody');
  const names = useNames();
  const begun = isBegun(story);
  const answer = begun && !played.error ? played.data : undefined;
  const simulation = answer?.simulations[0];
  const labels = useSimulatedLabels(names, simulation, { id: read.flow.id, definition });
  const lines = useMemo(() => (simulation ? linesOf(story, simulation) : []), [story, simulation]);
  const steps = simulation?.trace.flatMap((moment, at) => (moment.type === 'node' ? [at] : [])) ?? [];
  const moment = chosen !== undefined && steps.includes(chosen) ? chosen : steps.at(-1);
  const here = moment === undefined ? undefined : simulation?.trace[moment];
  const at = here?.type === 'node' && here.flow_id === read.flow.id ? here.node_id : undefined;
  const lit = useMemo(() => {
    const own = simulation?.trace
      .filter((it) => it.type === 'node')
      .filter((it) => it.flow_id === read.flow.id);
    return litBy(definition, own ?? [], at);
  }, [definition, simulation, read.flow.id, at]);
  const select = (ids: string[]) => {
    const found = simulation?.trace.findLastIndex((it) => it.type === 'node' && it.node_id === ids[0]);
    if (found !== undefined && found >= 0) choose(found);
  };
  const tell = (next: Story) => {
    choose(undefined);
    setStory(next);
  };
  return (
    <div className={classes.columns}>
      <div className={classes.left}>
        {typed && <p className={classes.typed}>{t('typed')}</p>}
        <Scripts
          read={read}
          definition={definition}
          story={story}
          setStory={tell}
          kept={kept}
          changed={JSON.stringify(story) !== JSON.stringify(initial)}
          answer={answer}
          together={all.data}
          labels={labels(read.flow.id)}
          show={show}
        />
        <div className={classes.canvas}>
          <FlowCanvas
            definition={definition}
            lit={lit}
            selected={at ? [at] : []}
            onSelect={select}
            names={names}
          />
        </div>
        <Steps
          flow={read.flow.id}
          labels={labels}
          names={names}
          played={simulation}
          zone={story.contact?.time_zone}
          moment={moment}
          onMoment={choose}
        />
      </div>
      <Phone
        story={story}
        setStory={tell}
        name={name}
        lines={lines}
        playing={played.isFetching}
        error={played.error}
        moment={moment}
        onMoment={choose}
        onWho={() => ask(true)}
        reference={definition.triggers?.find((it) => it.type === 'referral')?.ref}
        start={
          !begun && (
            <Button variant="default" onClick={() => tell({ ...story, start: 'api' })}>
              {t('start')}
            </Button>
          )
        }
      />
      <Who
        opened={asking}
        story={story}
        onClose={() => ask(false)}
        onApply={(next) => {
          ask(false);
          tell(next);
        }}
      />
    </div>
  );
}
