import { Switch } from '@mantine/core';
import type { Condition } from '../flows/definition';
import { ConditionField } from '../flows/forms/condition-field';
import { PickField } from '../flows/forms/pick-field';
import { SpanField } from '../flows/forms/span-field';
import { sequences as words } from '../i18n/en/sequences';
import classes from './sequences.module.css';
import type { Draft } from './steps';

const EXITS = ['reply', 'unsubscribe'] as const;

/** Who leaves a sequence before its end, and who may come again. */
export function Rules({ draft, set }: { draft: Draft; set: (next: Partial<Draft>) => void }) {
  const { exit_on, exit_when, reenroll, time_zone } = draft;
  const again = typeof reenroll === 'string' ? reenroll : 'after';
  return (
    <>
      <fieldset className={classes.exits} aria-label={words.exitOn}>
        <legend>{words.exitOn}</legend>
        {EXITS.map((it) => (
          <Switch
            key={it}
            label={words.exits[it]}
            checked={exit_on.includes(it)}
            onChange={(event) => {
              const on = event.currentTarget.checked;
              set({ exit_on: EXITS.filter((other) => (other === it ? on : exit_on.includes(other))) });
            }}
          />
        ))}
      </fieldset>
      <ConditionField
        label={words.exitWhen}
        hint={words.exitWhenHint}
        field="/exit_when"
        value={(exit_when ?? undefined) as Condition | undefined}
        onChange={(condition) => set({ exit_when: condition ?? null })}
        optional
        withoutVariables
      />
      <PickField
        label={words.reenroll}
        field="/reenroll"
        value={again}
        options={Object.entries(words.reenrolls).map(([value, label]) => ({ value, label }))}
        onChange={(next) => set({ reenroll: next === 'after' ? { after: 'P30D' } : (next ?? 'never') })}
      />
      {typeof reenroll !== 'string' && (
        <SpanField
          label={words.reenrollAfter}
          field="/reenroll/after"
          value={reenroll.after}
          onChange={(after) => set({ reenroll: { after: after ?? '' } })}
        />
      )}
      <PickField
        label={words.zone}
        field="/time_zone"
        value={time_zone}
        options={Object.entries(words.zones).map(([value, label]) => ({ value, label }))}
        onChange={(next) => set({ time_zone: next as Draft['time_zone'] })}
      />
    </>
  );
}
