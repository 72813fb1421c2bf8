import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { texts } from '../i18n/texts';
import classes from './date-input.module.css';
import { datePattern, dateText, readDate } from './date-text';

const common = texts('common');

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'placeholder' | 'rightSection'> {
  /** A day (`2026-01-31`) or a day with a time (`2026-01-31T09:30`). Empty if none is set. */
  value: string;
  /** Called with a date, or with an empty text while the date is incomplete. */
  onChange: (value: string) => void;
  timed?: boolean;
}

/**
 * A date field in the language of the page, because native fields use the language of the browser. Its button
 * opens the browser's calendar.
 */
export function DateInput({ value, onChange, timed = false, error, onBlur, ...props }: Props) {
  const [text, setText] = useState(dateText(value));
  const [isLeft, setLeft] = useState(true);
  const picker = useRef<HTMLInputElement>(null);
  // Keep the typed text while it means the value. Show another value in its usual format.
  const meant = readDate(text, timed) ?? '';
  const shown = meant === value ? text : dateText(value);
  const isWrong = isLeft && shown.trim() !== '' && meant === '' && value === '';
  const take = (next: string) => {
    setText(next);
    onChange(readDate(next, timed) ?? '');
  };
  return (
    <TextInput
      {...props}
      value={shown}
      placeholder={datePattern(timed)}
      autoComplete="off"
      error={error || (isWrong && common('dateWrong', { pattern: datePattern(timed) }))}
      onChange={(event) => {
        setLeft(false);
        take(event.currentTarget.value);
      }}
      onBlur={(event) => {
        setLeft(true);
        if (meant) setText(dateText(meant));
        onBlur?.(event);
      }}
      rightSection={
        !props.readOnly && (
          <>
            <input
              ref={picker}
              type={timed ? 'datetime-local' : 'date'}
              className={classes.picker}
              tabIndex={-1}
              aria-hidden
              value={value}
              disabled={props.disabled}
              onChange={(event) => {
                setText(dateText(event.currentTarget.value));
                onChange(event.currentTarget.value);
              }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={26}
              aria-label={common('chooseDate')}
              disabled={props.disabled}
              onClick={() => picker.current?.showPicker()}
            >
              <IconCalendar size={16} />
            </ActionIcon>
          </>
        )
      }
    />
  );
}
