import { Select, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { countriesByName } from '../components/countries';
import { regionName } from '../i18n/format';
import { texts } from '../i18n/texts';

const t = texts('settings');

interface Props {
  /** The ISO 3166-1 alpha-2 code. */
  value: string | null;
  onChange: (country: string | null) => void;
  readOnly: boolean;
  error: string | undefined;
}

/** The default country for phone numbers without a country code. */
export function CountryField({ value, onChange, readOnly, error }: Props) {
  const field = { label: t('workspace.country'), description: t('workspace.countryHint') };
  const options = useMemo(() => countriesByName().map((it) => ({ value: it, label: regionName(it) })), []);
  if (readOnly) {
    return <TextInput {...field} readOnly value={value ? regionName(value) : t('workspace.countryNone')} />;
  }
  return (
    <Select
      {...field}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      data={options}
      value={value}
      onChange={onChange}
      placeholder={t('workspace.countryNone')}
      searchable
      clearable
      allowDeselect={false}
      // By default, the button is hidden from the keyboard and from screen readers.
      clearButtonProps={{ 'aria-label': t('workspace.countryClear'), 'aria-hidden': false, tabIndex: 0 }}
      maxDropdownHeight={320}
      nothingFoundMessage={t('workspace.countryNotFound')}
      error={error}
      // Typed text replaces the selected name.
      onFocus={(event) => event.currentTarget.select()}
    />
  );
}
