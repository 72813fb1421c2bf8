import { TagsInput, TextInput } from '@mantine/core';
import { DateInput } from '../components/date-input';
import { texts } from '../i18n/texts';
import classes from './builder.module.css';
import { ChoiceInput, ChoicesInput } from './choice-input';
import { DurationInput } from './duration-input';
import type { Field, Option } from './fields';
import { type Kind, shapeOf } from './grammar';
import type { Rule } from './model';
import { instantOf, localTime } from './values';

const t = texts('conditions');

interface Props {
  rule: Rule;
  kind: Kind;
  field: Field | undefined;
  onChange: (values: string[]) => void;
}

const yesNo = (): Option[] => [
  { value: 'true', label: t('yes') },
  { value: 'false', label: t('no') },
];

/** An input for the value of a rule, by type and operator. */
export function ValueInput({ rule, kind, field, onChange }: Props) {
  const { values } = rule;
  const [first = '', second = ''] = values;
  const options = kind === 'boolean' ? yesNo() : field?.options;
  switch (shapeOf(rule.op)) {
    case 'none':
      return null;
    case 'duration':
      return <DurationInput value={first} onChange={(value) => onChange([value])} />;
    case 'range':
      return (
        <>
          <One label={t('from')} kind={kind} value={first} onChange={(value) => onChange([value, second])} />
          <One label={t('to')} kind={kind} value={second} onChange={(value) => onChange([first, value])} />
        </>
      );
    case 'several':
      return options ? (
        <ChoicesInput options={options} values={values} onChange={onChange} create={field?.create} />
      ) : (
        <TagsInput
          aria-label={t('value')}
          className={classes.value}
          placeholder={values.length === 0 ? t('typeValues') : undefined}
          value={values}
          acceptValueOnBlur
          onChange={onChange}
        />
      );
    default:
      return options ? (
        <ChoiceInput options={options} values={values} onChange={onChange} create={field?.create} />
      ) : (
        <One label={t('value')} kind={kind} value={first} onChange={(value) => onChange([value])} />
      );
  }
}

interface OneProps {
  label: string;
  kind: Kind;
  value: string;
  onChange: (value: string) => void;
}

function One({ label, kind, value, onChange }: OneProps) {
  if (kind === 'date') {
    return <DateInput aria-label={label} className={classes.value} value={value} onChange={onChange} />;
  }
  if (kind === 'datetime') {
    return (
      <DateInput
        timed
        aria-label={label}
        className={classes.value}
        value={localTime(value)}
        onChange={(next) => onChange(instantOf(next))}
      />
    );
  }
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      className={classes.value}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      maxLength={4096}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
