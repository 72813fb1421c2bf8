import { Button } from '@mantine/core';
import { IconClock, IconPlayerTrackNext } from '@tabler/icons-react';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { Failure } from '../components/states';
import { absolute } from '../components/time';
import { en } from '../i18n/en';
import classes from './clock.module.css';
import { lead, useClock, useMoveClock, useReset } from './clock-api';

const words = en.sandbox.clock;

/** The sandbox's own clock: how late it is there, and on to what comes due. */
export function ClockBar() {
  const { live } = useWhere();
  const clock = useClock(live.id);
  const move = useMoveClock(live.id);
  const reset = useReset(live.id);
  const [asking, setAsking] = useState(false);
  const error = move.error ?? (clock.data ? undefined : clock.error);
  const ahead = clock.data ? lead(clock.data.ahead_seconds) : '';
  return (
    <section className={classes.bar} aria-label={words.label}>
      <IconClock size={18} aria-hidden />
      <div className={classes.told}>
        {clock.data ? (
          <>
            <time dateTime={clock.data.now} className="figures">
              {absolute(clock.data.now)}
            </time>
            <span className="dimmed">{ahead ? words.ahead(ahead) : words.present}</span>
          </>
        ) : (
          <span className="dimmed">{words.hint}</span>
        )}
        <span role="status" className="dimmed">
          {move.isPending ? words.moving : move.data ? words.moved(move.data.steps) : ''}
        </span>
      </div>
      <div className={classes.buttons}>
        {words.steps.map(([advance, label, spoken]) => (
          <Button
            key={advance}
            variant="default"
            size="compact-sm"
            leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
            aria-label={spoken}
            disabled={!clock.data}
            loading={move.isPending && move.variables === advance}
            onClick={() => move.mutate(advance)}
          >
            {label}
          </Button>
        ))}
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            reset.reset();
            setAsking(true);
          }}
        >
          {words.reset}
        </Button>
      </div>
      {error != null && (
        <div className={classes.error}>
          <Failure error={error} />
        </div>
      )}
      <Confirm
        title={words.resetTitle}
        verb={words.resetVerb}
        opened={asking}
        pending={reset.isPending}
        error={reset.error}
        onClose={() => setAsking(false)}
        onConfirm={() => reset.mutate(undefined, { onSuccess: () => setAsking(false) })}
      >
        {words.resetHint}
      </Confirm>
    </section>
  );
}
