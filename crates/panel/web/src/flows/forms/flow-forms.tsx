import { Autocomplete, NumberInput, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { en } from '../../i18n/en';
import { useFlowChoices } from '../build/use-names';
import type { Branch, Delay, Split, StartFlow, WaitForEvent } from '../definition';
import { MOST_WAYS, proposedWay } from '../graph/propose';
import { ConditionField } from './condition-field';
import { type FormProps, useSurroundings } from './context';
import { useEventTypes } from './events';
import classes from './forms.module.css';
import { Add, Remove } from './message-field';
import { PickField } from './pick-field';
import { SpanField } from './span-field';
import { TargetField } from './target-field';
import { TextField } from './text-field';
import { WindowField } from './window-field';

const words = en.flowForms;

export function BranchForm({ node, set }: FormProps<Branch>) {
  const { definition } = useSurroundings();
  const ways = node.branches ?? [];
  return (
    <>
      {ways.map((way, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ways go by their place
        <section key={at} className={classes.card} aria-label={words.way(at + 1)}>
          <div className={classes.cardHead}>
            {words.way(at + 1)}
            {ways.length > 1 && (
              <Remove
                label={words.removeWay(at + 1)}
                onClick={() => set({ branches: ways.filter((_, place) => place !== at) })}
              />
            )}
          </div>
          <ConditionField
            label={words.when}
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
          label={words.addWay}
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
        // biome-ignore lint/suspicious/noArrayIndexKey: arms go by their place
        <div key={at} className={classes.split}>
          <NumberInput
            label={words.weight}
            min={1}
            max={1000}
            hideControls
            value={arm.weight}
            {...marks(`/arms/${at}/weight`)}
            onChange={(weight) =>
              set({
                arms: arms.map((it, place) => (place === at ? { ...it, weight: Number(weight) || 0 } : it)),
              })
            }
          />
          <Text c="dimmed" className="figures" lh="36px">
            {whole > 0 ? words.share(Math.round((arm.weight / whole) * 100)) : ''}
          </Text>
          {arms.length > 2 && (
            <Remove onClick={() => set({ arms: arms.filter((_, place) => place !== at) })} />
          )}
        </div>
      ))}
      {arms.length < 10 && (
        <Add label={words.addArm} onClick={() => set({ arms: [...arms, { weight: 1 }] })} />
      )}
    </div>
  );
}

type How = 'for' | 'until' | 'window';

export function DelayForm({ node, set }: FormProps<Delay>) {
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
        aria-label={words.delayHow}
        value={said}
        data={(['for', 'until', 'window'] as const).map((value) => ({ value, label: words.delays[value] }))}
        onChange={(how) => choose(how as How)}
      />
      {said === 'for' && (
        <SpanField
          label={words.howLong}
          field="/for"
          value={node.for}
          onChange={(it) => set({ for: it ?? '' })}
        />
      )}
      {said === 'until' && (
        <TextField
          label={words.until}
          hint={words.untilHint}
          field="/until"
          value={node.until ?? ''}
          onChange={(until) => set({ until })}
          template
          placeholder="2026-12-24T18:00"
        />
      )}
      <WindowField value={node.window} onChange={(window) => set({ window })} />
    </>
  );
}

export function WaitForEventForm({ node, set }: FormProps<WaitForEvent>) {
  const { marks } = useSurroundings();
  const types = useEventTypes();
  const own = node.event === undefined;
  const [name, setName] = useState('');
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={words.whichEvent}
        value={own ? 'custom' : 'event'}
        data={[
          { value: 'custom', label: words.customEvent },
          { value: 'event', label: words.serviceEvent },
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
          label={words.eventName}
          description={words.eventNameHint}
          placeholder="order.paid"
          value={node.custom_event ?? ''}
          {...marks('/custom_event')}
          onChange={(event) => set({ custom_event: event.currentTarget.value })}
        />
      ) : (
        <Autocomplete
          label={words.event}
          data={types.names}
          value={node.event ?? ''}
          {...marks('/event')}
          onChange={(event) => set({ event })}
        />
      )}
      <SpanField
        label={words.timeout}
        hint={words.waitTimeoutHint}
        field="/timeout"
        value={node.timeout}
        onChange={(it) => set({ timeout: it ?? '' })}
      />
      <ConditionField
        label={words.filter}
        hint={words.filterHint}
        field="/filter"
        value={node.filter}
        optional
        event={own ? ['name'] : types.pathsOf(node.event)}
        onChange={(filter) => set({ filter })}
      />
      <TargetField
        label={words.saveEvent}
        field="/save_to"
        value={node.save_to}
        variable
        onChange={(save_to) => set({ save_to })}
      />
    </>
  );
}

export function StartFlowForm({ node, set }: FormProps<StartFlow>) {
  const { data: flows } = useFlowChoices();
  return (
    <>
      <PickField
        label={words.flow}
        hint={words.flowHint}
        field="/flow_id"
        value={node.flow_id || undefined}
        options={(flows ?? []).map((it) => ({ value: it.id, label: it.name }))}
        onChange={(flow_id) => set({ flow_id: flow_id ?? '' })}
      />
      {node.next !== undefined && (
        <TargetField
          label={words.saveRun}
          field="/save_to"
          value={node.save_to}
          variable
          onChange={(save_to) => set({ save_to })}
        />
      )}
    </>
  );
}
