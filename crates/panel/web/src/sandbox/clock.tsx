import { Button } from '@mantine/core';
import { IconClock, IconPlayerTrackNext } from '@tabler/icons-react';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { Failure } from '../components/states';
import { absolute } from '../components/time';
import { texts } from '../i18n/texts';
import classes from './clock.module.css';
import { lead, useClock, useMoveClock, useReset } from './clock-api';

const t = texts('sandbox');

/** The sandbox clock, with buttons to advance it and to reset the sandbox. */
export function ClockBar() {
  const { live } = useWhere();
  const clock = useClock(live.id);
  const move = useMoveClock(live.id);
  const reset = useReset(live.id);
  const [asking, setAsking] = useState(false);
  const error = move.error ?? (clock.data ? undefined : clock.error);
  const ahead = clock.data ? lead(clock.data.ahead_seconds) : '';
  return (
    <section className={classes.bar} aria-label={t('clock.label')}>
      <IconClock size={18} aria-hidden />
      <div className={classes.told}>
        {clock.data ? (
          <>
            <time dateTime={clock.data.now} className="figures">
              {absolute(clock.data.now)}
            </time>
            <span className="dimmed">{ahead ? t('clock.ahead', { lead: ahead }) : t('clock.present')}</span>
          </>
        ) : (
          <span className="dimmed">{t('clock.hint')}</span>
        )}
        <span role="status" className="dimmed">
          {move.isPending ? t('clock.moving') : move.data ? t('clock.moved', { count: move.data.steps }) : ''}
        </span>
      </div>
      <div className={classes.buttons}>
        {(['PT1H', 'P1D', 'P7D'] as const).map((advance) => (
          <Button
            key={advance}
            variant="default"
            size="compact-sm"
            leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
            aria-label={t(`clock.advance.${advance}`)}
            disabled={!clock.data}
            loading={move.isPending && move.variables === advance}
            onClick={() => move.mutate(advance)}
          >
            {t(`clock.steps.${advance}`)}
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
          {t('clock.reset')}
        </Button>
      </div>
      {error != null && (
        <div className={classes.error}>
          <Failure error={error} />
        </div>
      )}
      <Confirm
        title={t('clock.resetTitle')}
        verb={t('clock.resetVerb')}
        opened={asking}
        pending={reset.isPending}
        error={reset.error}
        onClose={() => setAsking(false)}
        onConfirm={() => reset.mutate(undefined, { onSuccess: () => setAsking(false) })}
      >
        {t('clock.resetHint')}
      </Confirm>
    </section>
  );
}
