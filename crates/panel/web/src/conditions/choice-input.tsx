import { MultiSelect, Select, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { told } from '../components/failure';
import { texts } from '../i18n/texts';
import classes from './builder.module.css';
import { type Field, type Option, optionOf } from './fields';

const t = texts('conditions');

/** The value of the option that creates another one. No ID has it. */
const CREATE = '+';

interface Props {
  options: Option[];
  values: string[];
  onChange: (values: string[]) => void;
  /** Creates an option with a label. Absent if the options are not created here. */
  create: Field['create'];
}

/** Selects one of the options. */
export function ChoiceInput({ options, values, onChange, create }: Props) {
  const [first = ''] = values;
  const all = withGone(options, values);
  const creation = useCreation(all, create, (value) => onChange([value]));
  return (
    <>
      <Select
        aria-label={t('value')}
        className={classes.value}
        placeholder={create ? t('chooseOrCreate') : t('chooseValue')}
        data={[...all, ...creation.offered]}
        value={first ? (optionOf(options, first)?.value ?? first) : null}
        searchable={create !== undefined || options.length > 8}
        openOnFocus={create === undefined}
        allowDeselect={false}
        nothingFoundMessage={t('nothingFound')}
        onSearchChange={create && creation.search}
        onChange={(value) => (value === CREATE ? creation.run() : onChange(value ? [value] : []))}
      />
      {creation.failure}
    </>
  );
}

/** Selects several of the options. */
export function ChoicesInput({ options, values, onChange, create }: Props) {
  const known = values.map((it) => optionOf(options, it)?.value ?? it);
  const all = withGone(options, values);
  const creation = useCreation(all, create, (value) => onChange([...known, value]));
  return (
    <>
      <MultiSelect
        aria-label={t('value')}
        className={classes.value}
        placeholder={values.length === 0 ? t('chooseValues') : undefined}
        data={[...all, ...creation.offered]}
        value={known}
        searchable
        nothingFoundMessage={t('nothingFound')}
        onSearchChange={create && creation.search}
        onChange={(next) => (next.includes(CREATE) ? creation.run() : onChange(next))}
      />
      {creation.failure}
    </>
  );
}

/** Offers to create the searched label if no option has it. A created option is selected. */
function useCreation(options: Option[], create: Field['create'], select: (value: string) => void) {
  const [searched, search] = useState('');
  const [error, setError] = useState<unknown>();
  // The rules may change until the option is created.
  const latest = useRef(select);
  latest.current = select;
  const label = searched.trim();
  const isMissing = create !== undefined && label !== '' && !optionOf(options, label);
  const run = () => {
    setError(undefined);
    create?.(label).then(({ value }) => latest.current(value), setError);
  };
  return {
    search,
    run,
    offered: isMissing ? [{ value: CREATE, label: t('createTag', { name: label }) }] : [],
    failure: error !== undefined && (
      <Text c="var(--bad)" size="xs" role="alert" className={classes.fault}>
        {told(error)}
      </Text>
    ),
  };
}

/** The options, extended by values that are not among them any more. */
function withGone(options: Option[], values: string[]): Option[] {
  const gone = values.filter((it) => it && !optionOf(options, it));
  return [...options, ...gone.map((it) => ({ value: it, label: it }))];
}
