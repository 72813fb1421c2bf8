import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../i18n/texts';
import classes from './builder.module.css';
import { durationOf, durationParts, UNITS, type Unit } from './values';

const t = texts('conditions');

/** A duration as a number and a unit. A duration with several units is edited as ISO 8601. */
export function DurationInput({ value, onChange }: { value: string; onChange: (iso: string) => void }) {
  const [chosen, choose] = useState<Unit>('days');
  const parts = durationParts(value);
  if (!parts) {
    return (
      <TextInput
        aria-label={t('value')}
        className={classes.value}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  const unit = value === '' ? chosen : parts.unit;
  return (
    <div className={classes.duration}>
      <TextInput
        aria-label={t('count')}
        inputMode="numeric"
        maxLength={6}
        w={72}
        value={parts.count}
        onChange={(event) => {
          // A cleared value has no unit.
          choose(unit);
          onChange(durationOf(event.currentTarget.value, unit));
        }}
      />
      <Select
        aria-label={t('unit')}
        w={112}
        data={UNITS.map((it) => ({ value: it, label: t(`units.${it}`) }))}
        value={unit}
        allowDeselect={false}
        onChange={(next) => {
          choose(next as Unit);
          onChange(durationOf(parts.count, next as Unit));
        }}
      />
    </div>
  );
}
