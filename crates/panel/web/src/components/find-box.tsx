import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import classes from './found-list.module.css';

/** The pause in typing before the address changes, in milliseconds. */
const PAUSE = 250;

interface Props {
  label: string;
  /** The value in the address. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  maxLength?: number;
}

/** A search field for a list. It updates the address after a pause in typing. */
export function FindBox({ label, value = '', onChange, maxLength = 100 }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => setText((now) => (now.trim() === value ? now : value)), [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onChange(text.trim() || undefined), PAUSE);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <TextInput
      className={classes.find}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      maxLength={maxLength}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
