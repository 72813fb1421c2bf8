import { Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ConditionBuilder } from '../conditions/builder';
import { faultsByRule } from '../conditions/faults';
import { type Field, kindsOf } from '../conditions/fields';
import type { Condition } from '../conditions/grammar';
import { group, isReady, read, rule, rulesIn, write } from '../conditions/model';
import { isEverybody } from './state';

interface Props {
  label: string;
  value: Condition;
  onChange: (condition: Condition) => void;
  fields: Field[];
  /** Shown without rules, and while a rule is not complete. */
  hints: { everybody: string; unfinished: string };
  /** Whether a condition without rules is shown as one empty rule. */
  hasFirstRule?: boolean;
  /** The error of a search with the condition. */
  error?: unknown;
}

/** A builder for the condition. It changes the value when all rules are complete. */
export function Rules({ label, value, onChange, fields, hints, hasFirstRule, error }: Props) {
  const kinds = useMemo(() => kindsOf(fields), [fields]);
  const [root, setRoot] = useState(() =>
    hasFirstRule && isEverybody(value) ? group([rule()]) : read(value),
  );
  const meant = useMemo(() => write(root, kinds), [root, kinds]);
  // The value changed outside of this form: changes were discarded, or another user saved it.
  const outside = JSON.stringify(value);
  const last = useRef(outside);
  useEffect(() => {
    if (outside === last.current) return;
    last.current = outside;
    setRoot(read(JSON.parse(outside)));
  }, [outside]);
  const empty = rulesIn(root).length === 0;
  return (
    <>
      <ConditionBuilder
        label={label}
        value={root}
        onChange={(next) => {
          setRoot(next);
          const none = rulesIn(next).length === 0;
          if (!none && !isReady(next)) return;
          const condition = none ? { all: [] } : write(next, kinds).condition;
          last.current = JSON.stringify(condition);
          if (last.current !== outside) onChange(condition);
        }}
        fields={fields}
        faults={faultsByRule(error, meant.places, '/filter')}
      />
      <Text size="sm" c="dimmed" mt={4} role="status">
        {empty ? hints.everybody : isReady(root) ? '' : hints.unfinished}
      </Text>
    </>
  );
}
