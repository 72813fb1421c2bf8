import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { told } from '../components/failure';
import { isLanguage, LANGUAGES, useLanguage } from './language';
import { switchLanguage } from './load';
import { texts } from './texts';

const common = texts('common');

/** Whether the field was just used: another language draws the page again, and the focus returns to the field. */
let isUsed = false;

/** Selects the language of the panel. Each language is shown by its own name. */
export function LanguageField({ hint }: { hint?: string }) {
  const current = useLanguage();
  const field = useRef<HTMLSelectElement>(null);
  const change = useMutation({ mutationFn: switchLanguage, networkMode: 'always' });
  useEffect(() => {
    if (isUsed) field.current?.focus();
    isUsed = false;
  }, []);
  return (
    <NativeSelect
      ref={field}
      label={common('language')}
      description={hint}
      data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
      value={change.isPending ? change.variables : current}
      error={change.error && told(change.error)}
      onChange={({ currentTarget: { value } }) => {
        if (!isLanguage(value)) return;
        isUsed = true;
        change.mutate(value);
      }}
    />
  );
}
