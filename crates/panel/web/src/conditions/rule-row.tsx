import { ActionIcon, Select, Text, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { texts } from '../i18n/texts';
import classes from './builder.module.css';
import { type Context, put } from './context';
import type { Field } from './fields';
import { OPERATORS, type Operator, shapeOf } from './grammar';
import type { Rule } from './model';
import { ValueInput } from './value-input';
import { operatorWord } from './words';

const t = texts('conditions');

/** A comparison: its field, operator and value. */
export function RuleRow({ rule, context }: { rule: Rule; context: Context }) {
  const { fields, kinds, faults } = context;
  const field = fields.find(({ name }) => name === rule.field);
  const kind = kinds(rule.field);
  const fault = faults[rule.id];
  const operators = OPERATORS[kind];
  const known = operators.includes(rule.op) ? operators : [...operators, rule.op];
  const change = (next: Partial<Rule>) => put(context, rule.id, { ...rule, ...next });

  const chooseField = (name: string) => {
    const to = kinds(name);
    const op = OPERATORS[to].includes(rule.op) && to === kind ? rule.op : (OPERATORS[to][0] ?? 'eq');
    change({ field: name, op, values: name === rule.field ? rule.values : [] });
  };
  const chooseOperator = (op: Operator) =>
    change({ op, values: shapeOf(op) === shapeOf(rule.op) ? rule.values : kept(rule, op) });

  return (
    <div className={classes.rule}>
      <Select
        aria-label={t('field')}
        placeholder={t('chooseField')}
        className={classes.field}
        data={grouped(fields, rule.field)}
        value={rule.field || null}
        searchable
        onFocus={(event) => event.currentTarget.select()}
        allowDeselect={false}
        maxDropdownHeight={320}
        nothingFoundMessage={t('nothingFound')}
        onChange={(name) => name && chooseField(name)}
      />
      {rule.field && (
        <Select
          aria-label={t('operator')}
          className={classes.operator}
          data={known.map((op) => ({ value: op, label: operatorWord(op, kind) }))}
          value={rule.op}
          allowDeselect={false}
          maxDropdownHeight={320}
          onChange={(op) => op && chooseOperator(op as Operator)}
        />
      )}
      {rule.field && (
        <ValueInput rule={rule} kind={kind} field={field} onChange={(values) => change({ values })} />
      )}
      <Tooltip label={t('removeRule')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('removeRule')}
          onClick={() => put(context, rule.id, undefined)}
        >
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
      {fault && (
        <Text c="var(--bad)" size="xs" role="alert" className={classes.fault}>
          {fault}
        </Text>
      )}
    </div>
  );
}

/** The values that another operator can keep. */
function kept({ values, op: from }: Rule, to: Operator): string[] {
  const shapes = [shapeOf(from), shapeOf(to)];
  if (shapes.includes('none') || shapes.includes('duration')) return [];
  return shapeOf(to) === 'one' ? values.slice(0, 1) : shapeOf(to) === 'range' ? values.slice(0, 2) : values;
}

/** The fields in groups, for the list. A deleted field is listed by its name. */
function grouped(fields: Field[], current: string) {
  const groups = [...new Set(fields.map((it) => it.group))].map((group) => ({
    group,
    items: fields.filter((it) => it.group === group).map(({ name, label }) => ({ value: name, label })),
  }));
  const gone = current && !fields.some(({ name }) => name === current);
  return gone ? [{ group: '', items: [{ value: current, label: current }] }, ...groups] : groups;
}
