import { Autocomplete, NumberInput, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { number } from '../../i18n/format';
import { texts } from '../../i18n/texts';
import { useFlowChoices } from '../build/use-names';
import type { Branch, NodeOf, Split } from '../definition';
import { MOST_WAYS, proposedWay } from '../graph/propose';
import { ConditionField } from './condition-field';
import { type FormProps, membersOf, useSurroundings } from './context';
import { EVENT_PATH, useEventTypes } from './events';
import classes from './forms.module.css';
import { PickField } from './pick-field';
import { Add, Remove } from './rows';
import { SpanField } from './span-field';
import { TargetField } from './target-field';
import { TextField } from './text-field';
import { WindowField } from './window-field';

const t = texts('flow-forms');

export function BranchForm({ node, set }: FormProps<Branch>) {
  const { definition } = useSurroundings();
  const ways = node.branches ?? [];
  return (
    <>
      {ways.map((way, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: branches are identified by their index
        <section key={at} className={classes.card} aria-label={t('branch', { number: at + 1 })}>
          <div className={classes.cardHead}>
            {t('branch', { number: at + 1 })}
            {ways.length > 1 && (
              <Remove
                label={t('removeBranch', { number: at + 1 })}
                onClick={() => set({ branches: ways.filter((_, place) => place !== at) })}
              />
            )}
          </div>
          <ConditionField
            label={t('condition')}
            field={`/branches/${at}/when`}
            value={way.when}
            onChange={(when) =>
              set({
                branches: ways.map((it, place) => (place === at ? { ...it, when: when ?? { all: [] } } : it)),
              })
            }
          />
        </section>
      ))}
      {ways.length < MOST_WAYS && (
        <Add
          label={t('addBranch')}
          onClick={() => set({ branches: [...ways, proposedWay(definition, node.id, ways)] })}
        />
      )}
    </>
  );
}

export function SplitForm({ node, set }: FormProps<Split>) {
  const { marks } = useSurroundings();
  const arms = node.arms ?? [];
  const whole = arms.reduce((sum, it) => sum + (Number(it.weight) || 0), 0);
  return (
    <div className={classes.rows}>
      {arms.map((arm, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: arms are identified by their index
        <div key={at} className={classes.split}>
          <NumberInput
            label={t('weight')}
            min={1}
            max={1000}
            value={arm.weight}
            {...marks(`/arms/${at}/weight`)}
            onChange={(weight) =>
              set({
                arms: arms.map((it, place) => (place === at ? { ...it, weight: Number(weight) || 0 } : it)),
              })
            }
          />
          <Text c="dimmed" className="figures" lh="36px">
            {whole > 0 ? t('share', { percent: number(arm.weight / whole, { style: 'percent' }) }) : ''}
          </Text>
          {arms.length > 2 && (
            <Remove onClick={() => set({ arms: arms.filter((_, place) => place !== at) })} />
          )}
        </div>
      ))}
      {arms.length < 10 && (
        <Add label={t('addBranch')} onClick={() => set({ arms: [...arms, { weight: 1 }] })} />
      )}
    </div>
  );
}

type How = 'for' | 'until' | 'window';

export function DelayForm({ node, set }: FormProps<NodeOf<'delay'>>) {
  const { optional, required } = membersOf({ node, set });
  const said: How =
    node.until !== undefined ? 'until' : node.for !== undefined || !node.window ? 'for' : 'window';
  const choose = (how: How) =>
    set({
      for: how === 'for' ? 'P1D' : undefined,
      until: how === 'until' ? '' : undefined,
      window: how === 'window' ? (node.window ?? { from: '09:00', to: '18:00' }) : node.window,
    });
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={t('delayHow')}
        value={said}
        data={(['for', 'until', 'window'] as const).map((value) => ({ value, label: t(`delays.${value}`) }))}
        onChange={(how) => choose(how as How)}
      />
      {said === 'for' && <SpanField label={t('howLong')} {...required('for')} />}
      {said === 'until' && (
        <TextField
          label={t('until')}
          hint={t('untilHint')}
          {...optional('until')}
          template
          placeholder="2026-12-24T18:00"
        />
      )}
      <WindowField value={node.window} onChange={(window) => set({ window })} />
    </>
  );
}

export function WaitForEventForm({ node, set }: FormProps<NodeOf<'wait_for_event'>>) {
  const { optional, required } = membersOf({ node, set });
  const { marks } = useSurroundings();
  const types = useEventTypes();
  const own = node.event === undefined;
  const [name, setName] = useState('');
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={t('whichEvent')}
        value={own ? 'custom' : 'event'}
        data={[
          { value: 'custom', label: t('customEvent') },
          { value: 'event', label: t('serviceEvent') },
        ]}
        onChange={(how) => {
          if (node.custom_event) setName(node.custom_event);
          set(
            how === 'event'
              ? { event: 'message.received', custom_event: undefined }
              : { event: undefined, custom_event: name },
          );
        }}
      />
      {own ? (
        <TextInput
          label={t('eventName')}
          description={t('eventNameHint', { path: EVENT_PATH })}
          placeholder={t('eventNameExample')}
          value={node.custom_event ?? ''}
          {...marks('/custom_event')}
          onChange={(event) => set({ custom_event: event.currentTarget.value })}
        />
      ) : (
        <Autocomplete
          label={t('event')}
          data={types.names}
          value={node.event ?? ''}
          {...marks('/event')}
          onChange={(event) => set({ event })}
        />
      )}
      <SpanField label={t('timeout')} hint={t('waitTimeoutHint')} {...required('timeout')} />
      <ConditionField
        label={t('filter')}
        hint={t('filterHint')}
        {...optional('filter')}
        optional
        event={own ? ['name'] : types.pathsOf(node.event)}
      />
      <TargetField label={t('saveEvent')} {...optional('save_to')} variable />
    </>
  );
}

export function StartFlowForm(form: FormProps<NodeOf<'start_flow'>>) {
  const { node } = form;
  const { optional, required } = membersOf(form);
  const { data: flows } = useFlowChoices();
  return (
    <>
      <PickField
        label={t('flow')}
        hint={t('flowHint')}
        {...required('flow_id')}
        options={(flows ?? []).map((it) => ({ value: it.id, label: it.name }))}
      />
      {node.next !== undefined && <TargetField label={t('saveRun')} {...optional('save_to')} variable />}
    </>
  );
}
