import { Select, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { usePresent } from '../components/clock';
import { texts } from '../i18n/texts';
import classes from './settings.module.css';
import { isMeant, timeIn, zones } from './zones';

const t = texts('settings');

interface Props {
  value: string;
  onChange: (zone: string) => void;
  readOnly: boolean;
  error: string | undefined;
}

/** Selects a time zone and shows its current time. */
export function ZoneField({ value, onChange, readOnly, error }: Props) {
  const now = new Date(usePresent());
  const all = useMemo(() => zones(value), [value]);
  const time = timeIn(value, now);
  const description = time ? t('workspace.timeZoneHintNow', { time }) : t('workspace.timeZoneHint');
  if (readOnly) {
    return <TextInput label={t('zone')} description={description} readOnly value={value} />;
  }
  return (
    <Select
      label={t('zone')}
      description={description}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      data={all}
      value={value}
      onChange={(zone) => zone && onChange(zone)}
      searchable
      // Typed text replaces the selected name.
      onFocus={(event) => event.currentTarget.select()}
      onClick={(event) => event.currentTarget.select()}
      allowDeselect={false}
      limit={100}
      filter={({ options, search }) =>
        // When the list opens, the field contains the selected name, so all zones are offered until the user
        // types.
        options.filter((it) => 'value' in it && (search === value || isMeant(it.value, search)))
      }
      nothingFoundMessage={t('workspace.timeZoneNone')}
      error={error}
      renderOption={({ option }) => (
        <span className={classes.zone}>
          {option.value}
          <span className="dimmed figures">{timeIn(option.value, now)}</span>
        </span>
      )}
    />
  );
}
