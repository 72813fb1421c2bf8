import { Input } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Failure, Waiting } from '../../components/states';
import { ConditionBuilder } from '../../conditions/builder';
import { type Field, kindsOf } from '../../conditions/fields';
import { read, write } from '../../conditions/model';
import { useConditionFields } from '../../conditions/use-fields';
import { texts } from '../../i18n/texts';
import type { Condition } from '../definition';
import { useSurroundings } from './context';
import { namedIn, variablesOf } from './variables';

const t = texts('flow-forms');

interface Props {
  label: string;
  hint?: string;
  field: string;
  value: Condition | undefined;
  /** Called with `undefined` if an optional condition is empty. */
  onChange: (condition: Condition | undefined) => void;
  optional?: boolean;
  /** The members of the event, for conditions on events. */
  event?: string[];
  /** Whether the condition runs before the flow starts and has no variables. */
  withoutVariables?: boolean;
}

/** A condition in a flow. It can use variables and the event. */
export function ConditionField(props: Props) {
  const { label, hint, field, value, event = [], withoutVariables } = props;
  const { marks, definition } = useSurroundings();
  const known = useConditionFields();
  const fields = useMemo(() => {
    const of = (name: string, group: string): Field => ({
      name,
      label: name.replace(/^\w+\./, ''),
      group,
      kind: 'any',
    });
    const vars = withoutVariables ? [] : variablesOf(definition).map((it) => `vars.${it}`);
    const named = namedIn(value).filter((it) => /^(vars|event)\../.test(it));
    const all = [...new Set([...vars, ...event.map((it) => `event.${it}`), ...named])];
    return (
      known.fields && [
        ...all.map((it) => of(it, it.startsWith('vars.') ? t('variables') : t('event'))),
        ...known.fields,
      ]
    );
  }, [known.fields, definition, value, event, withoutVariables]);
  return (
    <Input.Wrapper label={label} labelElement="div" description={hint} {...marks(field)}>
      {known.error ? (
        <Failure error={known.error} retry={known.retry} />
      ) : fields ? (
        <Builder {...props} fields={fields} />
      ) : (
        <Waiting lines={2} />
      )}
    </Input.Wrapper>
  );
}

function Builder({ label, value, onChange, optional, fields }: Props & { fields: Field[] }) {
  const [root, setRoot] = useState(() => read(value as never));
  const mine = useRef(value);
  useEffect(() => {
    // The value changed outside of this field, for example by undo.
    if (value === mine.current) return;
    mine.current = value;
    setRoot(read(value as never));
  }, [value]);
  return (
    <ConditionBuilder
      label={label}
      value={root}
      fields={fields}
      onChange={(next) => {
        setRoot(next);
        const { condition } = write(next, kindsOf(fields));
        mine.current = optional && next.items.length === 0 ? undefined : (condition as Condition);
        onChange(mine.current);
      }}
    />
  );
}
