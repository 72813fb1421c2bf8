import { useMemo, useState } from 'react';
import { useWhere } from '../app/here';
import { useNames } from '../flows/build/use-names';
import { useContactName } from '../flows/runs-api';
import { useSimulatedLabels } from '../flows/use-labels';
import { texts } from '../i18n/texts';
import { useStory } from '../simulation/api';
import { linesOf } from '../simulation/lines';
import { Phone } from '../simulation/phone';
import { Steps } from '../simulation/steps';
import type { Story } from '../simulation/story';
import { Who } from '../simulation/who';
import type { Versioned } from './api';
import classes from './sequences.module.css';
import { StepName } from './step-name';
import { draftOf } from './steps';

const t = texts('simulation');

/** Simulates a sequence to its end, optionally with events that the user enters. */
export function SimulatePart({ read }: { read: Versioned }) {
  const ws = useWhere().workspace.id;
  const [story, setStory] = useState<Story>({ contact: { first_name: 'Ada' } });
  const [asking, ask] = useState(false);
  const [chosen, choose] = useState<number>();
  const played = useStory(ws, { kind: 'sequence', id: read.sequence.id, etag: read.etag }, story);
  const name = useContactName(ws, story.contact_id) ?? story.contact?.first_name ?? t('somebody');
  const names = useNames();
  const steps = draftOf(read.sequence).steps;
  const simulation = played.error ? undefined : played.data?.simulations[0];
  const labels = useSimulatedLabels(names, simulation);
  const lines = useMemo(() => (simulation ? linesOf(story, simulation) : []), [story, simulation]);
  const tell = (next: Story) => {
    choose(undefined);
    setStory(next);
  };
  return (
    <div className={classes.columns}>
      <Steps
        played={simulation}
        zone={story.contact?.time_zone}
        labels={labels}
        names={names}
        stepName={(id) => <StepName id={id} steps={steps} />}
        moment={chosen}
        onMoment={choose}
      />
      <Phone
        story={story}
        setStory={tell}
        name={name}
        lines={lines}
        playing={played.isFetching}
        error={played.error}
        moment={chosen}
        onMoment={choose}
        onWho={() => ask(true)}
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
