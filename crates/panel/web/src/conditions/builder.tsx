import { useMemo } from 'react';
import classes from './builder.module.css';
import { type Field, kindsOf } from './fields';
import { GroupBox } from './group-box';
import { type Group, hasRoom } from './model';

interface Props {
  value: Group;
  onChange: (next: Group) => void;
  /** The available fields, from `fieldsOf`. In a flow, they include its variables. */
  fields: Field[];
  /** The messages for rules and groups by ID, from `faultsByRule`. */
  faults?: Record<string, string>;
  /** A description of the condition for screen readers. */
  label: string;
}

export function ConditionBuilder({ value, onChange, fields, faults = {}, label }: Props) {
  const kinds = useMemo(() => kindsOf(fields), [fields]);
  return (
    <div className={classes.builder}>
      <GroupBox
        group={value}
        depth={1}
        label={label}
        context={{ root: value, change: onChange, fields, kinds, faults, room: hasRoom(value) }}
      />
    </div>
  );
}
