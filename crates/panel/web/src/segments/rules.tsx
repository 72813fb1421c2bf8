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
  /** Why contacts could not be searched by it. */
  error: unknown;
}

/** The rules, as they are typed; a condition comes of them once each is finished. */
export function Rules({ value, onChange, fields, error }: Props) {
  const kinds = useMemo(() => kindsOf(fields), [fields]);
  const [root, setRoot] = useState(() => (isEverybody(value) ? group([rule()]) : read(value)));
  const meant = useMemo(() => write(root, kinds), [root, kinds]);
  // What is discarded, or what another person saved, comes from outside.
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
