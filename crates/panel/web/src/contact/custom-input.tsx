import { MultiSelect, Select, TextInput } from '@mantine/core';
import { DateInput } from '../components/date-input';
import { instantOf, localTime } from '../conditions/values';
import { texts } from '../i18n/texts';
import type { CustomField, ProfileDraft } from './draft';

const t = texts('contact');

interface Props {
  field: Pick<CustomField, 'key' | 'name' | 'type' | 'options'>;
  readOnly: boolean;
  value: ProfileDraft[string];
  error: string | undefined;
  onChange: (value: string | string[]) => void;
}

const yesAndNo = () => [
  { value: 'true', label: t('yes') },
  { value: 'false', label: t('no') },
];

/** An input for the value of a custom field, by type. */
export function CustomInput({ field, readOnly, value, error, onChange }: Props) {
  const { name, type, options } = field;
  const common = { label: name, readOnly, error };
  const text = typeof value === 'string' ? value : '';
  if (type === 'multi_select') {
    const chosen = Array.isArray(value) ? value : [];
    const all = [...options, ...chosen.filter((it) => !options.includes(it))];
    return <MultiSelect {...common} data={all} value={chosen} clearable={!readOnly} onChange={onChange} />;
  }
  if (type === 'select' || type === 'boolean') {
    const all = type === 'boolean' ? yesAndNo() : options.map((it) => ({ value: it, label: it }));
    return (
      <Select
        {...common}
        placeholder={t('noValue')}
        clearable={!readOnly}
        data={all}
        value={text || null}
        onChange={(it) => onChange(it ?? '')}
      />
    );
  }
  if (type === 'date') return <DateInput {...common} value={text} onChange={onChange} />;
  if (type === 'datetime') {
    return (
      <DateInput {...common} timed value={localTime(text)} onChange={(next) => onChange(instantOf(next))} />
    );
  }
  return (
    <TextInput
      {...common}
      autoComplete="off"
      inputMode={type === 'number' ? 'decimal' : undefined}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
