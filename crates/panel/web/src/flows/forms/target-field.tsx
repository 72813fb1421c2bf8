import { Autocomplete } from '@mantine/core';
import { useCustomFields } from '../../conditions/use-fields';
import { texts } from '../../i18n/texts';
import { useSurroundings } from './context';
import { CreateCustomField } from './create-field';
import { variablesOf } from './variables';

const t = texts('flow-forms');
const ATTRIBUTES = ['first_name', 'last_name', 'email', 'phone', 'locale', 'time_zone', 'external_id'];

interface Props {
  label: string;
  hint?: string;
  field: string;
  value: string | undefined;
  onChange: (target: string | undefined) => void;
  /** Whether only variables are allowed. */
  variable?: boolean;
}

/** The target of a value: a variable, an attribute of the contact, or a custom field. */
export function TargetField({ label, hint, field, value, onChange, variable }: Props) {
  const { definition, marks } = useSurroundings();
  const { data: custom } = useCustomFields();
  const data = [
    { group: t('variables'), items: variablesOf(definition).map((it) => `vars.${it}`) },
    ...(variable
      ? []
      : [
          { group: t('contact'), items: ATTRIBUTES.map((it) => `contact.${it}`) },
          { group: t('customFields'), items: (custom ?? []).map((it) => `custom_fields.${it.key}`) },
        ]),
  ];
  const [, typed] = /^custom_fields\.(\w+)$/.exec(value ?? '') ?? [];
  const missing = typed && custom && !custom.some((it) => it.key === typed) ? typed : undefined;
  return (
    <>
      <Autocomplete
        label={label}
        description={hint ?? (variable ? t('variableHint') : t('targetHint'))}
        data={data.filter((it) => it.items.length > 0)}
        value={value ?? ''}
        placeholder={t('targetExample')}
        autoComplete="off"
        spellCheck={false}
        comboboxProps={{ shadow: 'md' }}
        {...marks(field)}
        onChange={(next) => onChange(next || undefined)}
      />
      {!variable && (
        <CreateCustomField missing={missing} onCreated={(key) => onChange(`custom_fields.${key}`)} />
      )}
    </>
  );
}
