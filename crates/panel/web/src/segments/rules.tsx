import { Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ConditionBuilder } from '../conditions/builder';
import { faultsByRule } from '../conditions/faults';
import { type Field, kindsOf } from '../conditions/fields';
import type { Condition } from '../conditions/grammar';
import { group, isReady, read, rule, rulesIn, write } from '../conditions/model';
import { texts } from '../i18n/texts';
import { isEverybody } from './state';

const t = texts('segments');

interface Props {
  value: Condition;
  onChange: (condition: Condition) => void;
  fields: Field[];
  /** The error of a search with the condition. */
  error: unknown;
}

/** A builder for the condition. It changes the value when all rules are complete. */
export function Rules({ value, onChange, fields, error }: Props) {
  const kinds = useMemo(() => kindsOf(fields), [fields]);
  const [root, setRoot] = useState(() => (isEverybody(value) ? group([rule()]) : read(value)));
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
        label={t('condition')}
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
        {empty ? t('everybody') : isReady(root) ? '' : t('unfinished')}
      </Text>
    </>
  );
}
