import { Chip, Switch, TextInput } from '@mantine/core';
import { texts } from '../../i18n/texts';
import { zones } from '../../settings/zones';
import { DAYS, type Day, type Window } from '../definition';
import { patched, useSurroundings } from './context';
import classes from './forms.module.css';
import { PickField } from './pick-field';

const t = texts('flow-forms');
const editor = texts('flow-editor');

interface Props {
  value: Window | undefined;
  onChange: (window: Window | undefined) => void;
}

/** The days and hours at which a wait may end. */
export function WindowField({ value, onChange }: Props) {
  const { marks } = useSurroundings();
  const set = (patch: Partial<Window>) => onChange(patched(value ?? {}, patch));
  const time = (label: string, field: 'from' | 'to') => (
    <TextInput
      type="time"
      label={label}
      value={value?.[field] ?? ''}
      {...marks(`/window/${field}`)}
      onChange={(event) => set({ [field]: event.currentTarget.value || undefined })}
    />
  );
  return (
    <div className={classes.part}>
      <Switch
        label={t('window')}
        description={t('windowHint')}
        checked={value !== undefined}
        onChange={(event) =>
          onChange(event.currentTarget.checked ? { from: '09:00', to: '18:00' } : undefined)
        }
      />
      {value && (
        <>
          <Chip.Group
            multiple
            value={value.days ?? [...DAYS]}
            onChange={(days) =>
              set({
                days:
                  days.length === DAYS.length ? undefined : (DAYS.filter((it) => days.includes(it)) as Day[]),
              })
            }
          >
            <fieldset className={classes.days} aria-label={t('days')}>
              {DAYS.map((day) => (
                <Chip key={day} value={day} size="xs" variant="outline" radius="sm">
                  {editor(`phrases.days.${day}`)}
                </Chip>
              ))}
            </fieldset>
          </Chip.Group>
          <div className={classes.pair}>
            {time(t('from'), 'from')}
            {time(t('to'), 'to')}
          </div>
          <PickField
            label={t('zone')}
            field="/window/time_zone"
            value={value.time_zone}
            none={t('clocks.contact')}
            options={[{ value: 'workspace', label: t('clocks.workspace') }, ...zones('UTC')]}
            onChange={(time_zone) => set({ time_zone })}
          />
        </>
      )}
    </div>
  );
}
