import { Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useSurroundings } from './context';

interface Props {
  label: string;
  hint?: string;
  field: string;
  value: unknown;
  onChange: (value: unknown) => void;
  /** Checks the parsed value. */
  accept?: (value: unknown) => boolean;
  /** Whether a text that is not JSON is accepted as a string. */
  orText?: boolean;
  minRows?: number;
}

/** A value as JSON. Invalid text stays in the field and does not change the value. */
export function JsonField({ label, hint, field, value, onChange, accept, orText, minRows = 3 }: Props) {
  const { marks } = useSurroundings();
  const shown =
    value === undefined ? '' : orText && typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const [text, setText] = useState(shown);
  const [wrong, setWrong] = useState<string>();
  const mine = useRef(shown);
  useEffect(() => {
    if (shown === mine.current) return;
    mine.current = shown;
    setText(shown);
    setWrong(undefined);
  }, [shown]);
  const type = (next: string) => {
    setText(next);
    const read = readJson(next, orText);
    const fits = 'value' in read && (read.value === undefined || !accept || accept(read.value));
    setWrong('why' in read ? read.why : fits ? undefined : hint);
    if (!fits || !('value' in read)) return;
    mine.current =
      read.value === undefined
        ? ''
        : typeof read.value === 'string' && orText
          ? read.value
          : JSON.stringify(read.value, null, 2);
    onChange(read.value);
  };
  return (
    <Textarea
      label={label}
      description={hint}
      autosize
      minRows={minRows}
      maxRows={18}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      value={text}
      {...marks(field)}
      {...(wrong !== undefined && { error: wrong })}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

function readJson(text: string, orText: boolean | undefined): { value: unknown } | { why: string } {
  if (text.trim() === '') return { value: undefined };
  // A template may replace a JSON value. A text that is not JSON is a string.
  if (orText && !/^\s*[[{"]/.test(text)) return { value: text };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return orText && /^\s*\{[{%]/.test(text) ? { value: text } : { why: (error as Error).message };
  }
}
