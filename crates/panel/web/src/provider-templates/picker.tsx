import { Select } from '@mantine/core';
import { texts } from '../i18n/texts';
import { type Chosen, chosen, keyOf, type ProviderTemplate } from './api';

const t = texts('provider-templates');

interface Props {
  /** The approved templates. */
  templates: ProviderTemplate[];
  value: Chosen | undefined;
  onChange: (template: Chosen) => void;
  error?: string;
  readOnly?: boolean;
}

/** Selects an approved template. One that the provider does not list stays visible. */
export function TemplatePicker({ templates, value, onChange, error, readOnly }: Props) {
  const known = templates.map((it) => ({ value: keyOf(it), label: labelOf(it) }));
  const selected = value?.name ? keyOf(value) : null;
  const isListed = selected === null || known.some((it) => it.value === selected);
  const missing = value && !isListed ? [{ value: keyOf(value), label: labelOf(value) }] : [];
  const select = (key: string | null) => {
    const template = templates.find((it) => keyOf(it) === key);
    if (template) onChange(chosen(template, value));
  };
  return (
    <Select
      label={t('template')}
      description={isListed ? undefined : t('notListed')}
      placeholder={templates.length > 0 ? t('choose') : t('noneApproved')}
      data={[...known, ...missing]}
      value={selected}
      error={error}
      readOnly={readOnly}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('noneFound')}
      onChange={select}
    />
  );
}

const labelOf = ({ name, language }: Chosen | ProviderTemplate) =>
  [name, language].filter(Boolean).join(' · ');
