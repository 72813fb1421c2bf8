import { Autocomplete } from '@mantine/core';
import { useEffect, useState } from 'react';
import { labelWidth, textWidth } from '../components/label';
import classes from './filters.module.css';

interface Props {
  label: string;
  placeholder: string;
  value: string | undefined;
  /** What was seen, as suggestions. */
  seen?: string[];
  /** Says what is wrong with a text; such a text is not asked for. */
  wrong?: (text: string) => string | undefined;
  /** Turns what was typed into what is meant. */
  meant?: (text: string) => string;
  /** A text that is whole is asked for at once. */
  isWhole?: (text: string) => boolean;
  onChange: (value: string | undefined) => void;
}

/** A text that must match exactly: it is asked for once it is typed, not letter by letter. */
export function Committed(props: Props) {
  const { label, placeholder, value, seen = [], wrong, meant, isWhole, onChange } = props;
  const [text, setText] = useState(value ?? '');
  const [error, setError] = useState<string>();
  useEffect(() => {
    setText(value ?? '');
    setError(undefined);
  }, [value]);

  const commit = (typed: string) => {
    const wanted = meant ? meant(typed) : typed.trim();
    const fault = wanted === '' ? undefined : wrong?.(wanted);
    setError(fault);
    setText(wanted);
    if (!fault && wanted !== (value ?? '')) onChange(wanted || undefined);
  };
  return (
    <Autocomplete
      classNames={{
        root: classes.text,
        input: classes.mono,
        section: classes.label,
        options: classes.options,
      }}
      size="sm"
      style={{ '--text-width': `${textWidth(label, value)}px` }}
      aria-label={label}
      leftSection={label}
      leftSectionWidth={labelWidth(label)}
      leftSectionPointerEvents="none"
      placeholder={placeholder}
      spellCheck={false}
      autoComplete="off"
      data={seen}
      limit={50}
      value={text}
      error={error}
      clearable
      clearButtonProps={{ 'aria-label': `${label}: ${placeholder}` }}
      comboboxProps={{ shadow: 'md', width: 'max-content', position: 'bottom-start' }}
      onChange={(typed) => {
        setText(typed);
        setError(undefined);
        if (typed === '' || isWhole?.(typed.trim())) commit(typed);
      }}
      onOptionSubmit={commit}
      onBlur={() => commit(text)}
      onKeyDown={(event) => {
        // With an option chosen, Enter submits that one.
        if (event.key === 'Enter' && !event.currentTarget.getAttribute('aria-activedescendant')) commit(text);
      }}
    />
  );
}
