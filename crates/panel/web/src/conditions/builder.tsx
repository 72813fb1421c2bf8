import { useMemo } from 'react';
import classes from './builder.module.css';
import { type Field, kindsOf } from './fields';
import { GroupBox } from './group-box';
import { type Group, hasRoom } from './model';

interface Props {
  value: Group;
  onChange: (next: Group) => void;
  /** What there is to speak of: `fieldsOf` the workspace, in a flow with its variables. */
  fields: Field[];
  /** What is wrong with rules and groups, by their ids: `faultsByRule`. */
  faults?: Record<string, string>;
  /** What the condition is for, for who cannot see it. */
  label: string;
}

/** Builds a condition of the one grammar: rules in groups, without a word of JSON. */
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
