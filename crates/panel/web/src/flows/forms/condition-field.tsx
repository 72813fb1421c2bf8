import { Input } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useWhere } from '../../app/here';
import { mayWrite } from '../../app/places';
import { Failure, Waiting } from '../../components/states';
import { ConditionBuilder } from '../../conditions/builder';
import { type Field, kindsOf } from '../../conditions/fields';
import { OPERATORS } from '../../conditions/grammar';
import { type Group, isComplete, isGroup, read, replaced, rule, write } from '../../conditions/model';
import { useConditionFields } from '../../conditions/use-fields';
import { texts } from '../../i18n/texts';
import type { Condition } from '../definition';
import { useSurroundings } from './context';
import { CreateCustomField } from './create-field';
import { useCreateTag } from './create-tag';
import classes from './forms.module.css';
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
  const { role } = useWhere();
  const known = useConditionFields();
  const createTag = useCreateTag();
  const create = mayWrite(role) ? createTag : undefined;
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
        ...known.fields.map((it) => (it.name === 'tags' && create ? withCreation(it, create) : it)),
      ]
    );
  }, [known.fields, definition, value, event, withoutVariables, create]);
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

/** The field of tags. Its conditions can create a tag. */
function withCreation(field: Field, create: ReturnType<typeof useCreateTag>): Field {
  return {
    ...field,
    create: async (label) => {
      const { id, name } = await create(label);
      return { value: id, label: name };
    },
  };
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
  const change = (next: Group) => {
    setRoot(next);
    const { condition } = write(next, kindsOf(fields));
    mine.current = optional && next.items.length === 0 ? undefined : (condition as Condition);
    onChange(mine.current);
  };
  const created = useCreated(fields, (name) => change(withField(root, name, fields)));
  return (
    <div className={classes.condition}>
      <ConditionBuilder label={label} value={root} fields={fields} onChange={change} />
      <CreateCustomField onCreated={(key) => created(`custom_fields.${key}`)} />
    </div>
  );
}

/** Returns a function for the name of a created field. It is used when it is among the fields, with its type. */
function useCreated(fields: Field[], apply: (name: string) => void) {
  const [name, setName] = useState<string>();
  const latest = useRef(apply);
  latest.current = apply;
  useEffect(() => {
    if (name === undefined || !fields.some((it) => it.name === name)) return;
    setName(undefined);
    latest.current(name);
  }, [name, fields]);
  return setName;
}

/** Compares a field: in the first rule without a value, or in another rule. */
function withField(root: Group, name: string, fields: Field[]): Group {
  const added = rule(name, OPERATORS[kindsOf(fields)(name)][0]);
  const open = root.items.find((it) => !isGroup(it) && !isComplete(it));
  return open ? replaced(root, open.id, () => added) : { ...root, items: [...root.items, added] };
}
