import { TextInput } from '@mantine/core';
import classes from './day-field.module.css';
import { labelWidth } from './label';

interface Props {
  label: string;
  /** A day, as `2026-01-31`. */
  value: string | undefined;
  /** `undefined` while the day is not complete. */
  onChange: (value: string | undefined) => void;
  /** Whether the day is wrong. The page says why. */
  isWrong?: boolean;
}

/** A day, with its name inside of the field. */
export function DayField({ label, value = '', onChange, isWrong }: Props) {
  return (
    <TextInput
      type="date"
      className={classes.day}
      aria-label={label}
      error={isWrong}
      leftSection={label}
      leftSectionWidth={labelWidth(label)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}
