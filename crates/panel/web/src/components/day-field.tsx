import { DateInput } from './date-input';
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
    <DateInput
      className={classes.day}
      aria-label={label}
      error={isWrong}
      leftSection={label}
      leftSectionWidth={labelWidth(label)}
      value={value}
      onChange={(day) => onChange(day || undefined)}
    />
  );
}
