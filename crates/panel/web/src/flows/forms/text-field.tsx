import { Textarea, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { useSurroundings } from './context';
import { Placeholders } from './placeholders';

interface Props {
  label: string;
  hint?: string;
  /** Where the text stands in the node, as pointers name it. */
  field: string;
  value: string;
  onChange: (text: string) => void;
  /** A text of several lines. */
  long?: boolean;
  mono?: boolean;
  placeholder?: string;
  /** Words of a template may stand in it. */
  template?: boolean;
  /** The template can name secrets. */
  secrets?: boolean;
}

/** A text of a node, with what the analyser says of it. */
export function TextField(props: Props) {
  const { label, hint, field, value, onChange, long, mono, placeholder, template, secrets } = props;
  const { marks } = useSurroundings();
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  // The last caret of the field. Without one, text is inserted at the end.
  const caret = useRef<{ from: number; to: number }>(undefined);
  const insert = (text: string) => {
    const { from, to } = caret.current ?? { from: value.length, to: value.length };
    onChange(value.slice(0, from) + text + value.slice(to));
    caret.current = { from: from + text.length, to: from + text.length };
    input.current?.focus();
  };
  const common = {
    ref: input,
    label,
    description: hint,
    value,
    placeholder,
    ...marks(field),
    autoComplete: 'off',
    spellCheck: !mono,
    styles: mono
      ? { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }
      : undefined,
    rightSection: template ? <Placeholders onInsert={insert} secrets={secrets} /> : undefined,
    onSelect: ({ currentTarget: it }: React.SyntheticEvent<HTMLInputElement & HTMLTextAreaElement>) => {
      caret.current = { from: it.selectionStart ?? value.length, to: it.selectionEnd ?? value.length };
    },
    onChange: (event: React.ChangeEvent<HTMLInputElement & HTMLTextAreaElement>) =>
      onChange(event.currentTarget.value),
  };
  return long ? (
    <Textarea
      {...common}
      autosize
      minRows={2}
      maxRows={12}
      rightSectionProps={{ style: { alignItems: 'start', paddingTop: 4 } }}
    />
  ) : (
    <TextInput {...common} />
  );
}
