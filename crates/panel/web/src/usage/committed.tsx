import { Autocomplete } from '@mantine/core';
import { useEffect, useState } from 'react';
import { labelWidth, textWidth } from '../components/label';
import classes from './filters.module.css';

interface Props {
  label: string;
  placeholder: string;
  value: string | undefined;
  /** Suggestions from the loaded rows. */
  seen?: string[];
  /** Returns a message for an invalid text, which is not searched. */
  wrong?: (text: string) => string | undefined;
  /** Normalizes the typed text. */
  meant?: (text: string) => string;
  /** Whether a text is complete and searched at once. */
  isWhole?: (text: string) => boolean;
  onChange: (value: string | undefined) => void;
}

/** A filter field for exact matches. It applies the text when the user presses Enter or leaves the field. */
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
        // If an option is selected, Enter chooses that option.
        if (event.key === 'Enter' && !event.currentTarget.getAttribute('aria-activedescendant')) commit(text);
      }}
    />
  );
}
