import { Input, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { DateInput } from '../components/date-input';
import { texts } from '../i18n/texts';
import type { Draft } from './draft';
import { clockIn, instantOf } from './schedule';

const t = texts('broadcasts');

type Schedule = Pick<Draft, 'scheduled_at' | 'time_zone'>;

interface Props {
  value: Schedule;
  onChange: (next: Partial<Schedule>) => void;
  error: string | undefined;
}

/** Selects the start: immediately, or at a time in the time zone of the workspace or of each contact. */
export function ScheduleField({ value, onChange, error }: Props) {
  const { workspace } = useWhere();
  const { scheduled_at: at, time_zone: clocks } = value;
  const [later, setLater] = useState(at !== null);
  const shown = later || at !== null;
  return (
    <>
      <Input.Wrapper label={t('when')} labelElement="div" error={shown ? undefined : error}>
        <div>
          <SegmentedControl
            mt={4}
            aria-label={t('when')}
            value={shown ? 'later' : 'now'}
            onChange={(next) => {
              setLater(next === 'later');
              if (next === 'now') onChange({ scheduled_at: null, time_zone: 'workspace' });
            }}
            data={[
              { value: 'now', label: t('scheduleNow') },
              { value: 'later', label: t('scheduleLater') },
            ]}
          />
        </div>
      </Input.Wrapper>
      {shown && (
        <>
          <DateInput
            timed
            label={t('scheduleAt')}
            description={t('scheduleAtHint', { zone: workspace.time_zone })}
            maw={280}
            value={at ? clockIn(workspace.time_zone, at) : ''}
            error={error}
            onChange={(next) => onChange({ scheduled_at: instantOf(workspace.time_zone, next) ?? null })}
          />
          <Input.Wrapper
            label={t('zone')}
            description={clocks === 'contact' ? t('zoneHint') : undefined}
            labelElement="div"
            inputWrapperOrder={['label', 'input', 'description']}
          >
            <div>
              <SegmentedControl
                my={4}
                aria-label={t('zone')}
                value={clocks}
                onChange={(next) => onChange({ time_zone: next === 'contact' ? 'contact' : 'workspace' })}
                data={[
                  { value: 'workspace', label: t('zones.workspace') },
                  { value: 'contact', label: t('zones.contact') },
                ]}
              />
            </div>
          </Input.Wrapper>
        </>
      )}
    </>
  );
}
