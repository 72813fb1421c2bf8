import { DateInput } from './date-input';
import classes from './day-field.module.css';
import { labelWidth } from './label';

interface Props {
  label: string;
  /** A day, such as `2026-01-31`. */
  value: string | undefined;
  /** Called with `undefined` while the day is incomplete. */
  onChange: (value: string | undefined) => void;
  /** Whether the day is invalid. The page shows the message. */
  isWrong?: boolean;
}

/** A date field with its label inside. */
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
