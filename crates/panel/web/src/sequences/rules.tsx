import { Switch } from '@mantine/core';
import type { Condition } from '../flows/definition';
import { ConditionField } from '../flows/forms/condition-field';
import { PickField } from '../flows/forms/pick-field';
import { SpanField } from '../flows/forms/span-field';
import { texts } from '../i18n/texts';
import classes from './sequences.module.css';
import type { Draft } from './steps';

const t = texts('sequences');

const EXITS = ['reply', 'unsubscribe'] as const;
const REENROLLS = ['never', 'after_completion', 'always', 'after'] as const;
const ZONES = ['contact', 'workspace'] as const;

/** The exit and re-entry rules of a sequence. */
export function Rules({ draft, set }: { draft: Draft; set: (next: Partial<Draft>) => void }) {
  const { exit_on, exit_when, reenroll, time_zone } = draft;
  const again = typeof reenroll === 'string' ? reenroll : 'after';
  return (
    <>
      <fieldset className={classes.exits} aria-label={t('exitOn')}>
        <legend>{t('exitOn')}</legend>
        {EXITS.map((it) => (
          <Switch
            key={it}
            label={t(`exits.${it}`)}
            checked={exit_on.includes(it)}
            onChange={(event) => {
              const on = event.currentTarget.checked;
              set({ exit_on: EXITS.filter((other) => (other === it ? on : exit_on.includes(other))) });
            }}
          />
        ))}
      </fieldset>
      <ConditionField
        label={t('exitWhen')}
        hint={t('exitWhenHint')}
        field="/exit_when"
        value={(exit_when ?? undefined) as Condition | undefined}
        onChange={(condition) => set({ exit_when: condition ?? null })}
        optional
        withoutVariables
      />
      <PickField
        label={t('reenroll')}
        field="/reenroll"
        value={again}
        options={REENROLLS.map((value) => ({ value, label: t(`reenrolls.${value}`) }))}
        onChange={(next) => set({ reenroll: next === 'after' ? { after: 'P30D' } : (next ?? 'never') })}
      />
      {typeof reenroll !== 'string' && (
        <SpanField
          label={t('reenrollAfter')}
          field="/reenroll/after"
          value={reenroll.after}
          onChange={(after) => set({ reenroll: { after: after ?? '' } })}
        />
      )}
      <PickField
        label={t('zone')}
        field="/time_zone"
        value={time_zone}
        options={ZONES.map((value) => ({ value, label: t(`zones.${value}`) }))}
        onChange={(next) => set({ time_zone: next as Draft['time_zone'] })}
      />
    </>
  );
}
