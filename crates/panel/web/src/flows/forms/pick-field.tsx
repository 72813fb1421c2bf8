import { Select } from '@mantine/core';
import { texts } from '../../i18n/texts';
import { useSurroundings } from './context';

const t = texts('flow-forms');

interface Option {
  value: string;
  label: string;
}

interface Props {
  label: string;
  hint?: string;
  field: string;
  value: string | undefined;
  options: readonly (Option | string)[];
  onChange: (value: string | undefined) => void;
  /** The label for no selection. Without it, a value is required. */
  none?: string;
  placeholder?: string;
}

/** Selects one of several options. A selected value that no longer exists stays visible. */
export function PickField({ label, hint, field, value, options, onChange, none, placeholder }: Props) {
  const { marks } = useSurroundings();
  const known = options.map((it) => (typeof it === 'string' ? { value: it, label: it } : it));
  const missing = value && !known.some((it) => it.value === value) ? [{ value, label: value }] : [];
  const all = [...(none === undefined ? [] : [{ value: '', label: none }]), ...known, ...missing];
  return (
    <Select
      label={label}
      description={hint}
      data={all}
      value={value ?? (none === undefined ? null : '')}
      placeholder={placeholder ?? t('choose')}
      searchable={all.length > 8}
      allowDeselect={false}
      maxDropdownHeight={320}
      nothingFoundMessage={t('nothingFound')}
      {...marks(field)}
      onChange={(next) => onChange(next || undefined)}
    />
  );
}
