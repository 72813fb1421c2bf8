import { useRef } from 'react';

type Field = HTMLInputElement & HTMLTextAreaElement;

/** Inserts text into a field at the last caret position, or at the end if there was none. */
export function useInsert(value: string, onChange: (text: string) => void) {
  const ref = useRef<Field>(null);
  const caret = useRef<{ from: number; to: number }>(undefined);
  const insert = (text: string) => {
    const { from, to } = caret.current ?? { from: value.length, to: value.length };
    onChange(value.slice(0, from) + text + value.slice(to));
    caret.current = { from: from + text.length, to: from + text.length };
    ref.current?.focus();
  };
  const onSelect = ({ currentTarget: it }: React.SyntheticEvent<Field>) => {
    caret.current = { from: it.selectionStart ?? value.length, to: it.selectionEnd ?? value.length };
  };
  return { insert, field: { ref, onSelect } };
}
