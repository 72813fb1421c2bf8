import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { told } from '../components/failure';
import { LANGUAGES } from './language';
import { texts } from './texts';

const common = texts('common');

/** Whether the field was just used: another language draws the page again, and the focus returns to the field. */
let isUsed = false;

interface Props {
  value: string;
  hint?: string;
  /** Options before the languages. */
  others?: { value: string; label: string }[];
  change: (value: string) => Promise<void>;
}

/** Selects a language. Each language is shown by its own name. */
export function LanguageSelect({ value, hint, others = [], change }: Props) {
  const field = useRef<HTMLSelectElement>(null);
  const changing = useMutation({ mutationFn: change, networkMode: 'always' });
  useEffect(() => {
    if (isUsed) field.current?.focus();
    isUsed = false;
  }, []);
  return (
    <NativeSelect
      ref={field}
      label={common('language')}
      description={hint}
      data={[...others, ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))]}
      value={changing.isPending ? changing.variables : value}
      error={changing.error && told(changing.error)}
      onChange={({ currentTarget }) => {
        isUsed = true;
        changing.mutate(currentTarget.value);
      }}
    />
  );
}
