import { Autocomplete, MultiSelect, TagsInput, TextInput } from '@mantine/core';
import { useChannels } from '../../conditions/use-fields';
import { en } from '../../i18n/en';
import type { Trigger } from '../definition';
import { ConditionField } from './condition-field';
import { patched, useSurroundings } from './context';
import { useEventTypes } from './events';
import { PickField } from './pick-field';

const words = en.flowForms;

interface Props {
  trigger: Trigger;
  onChange: (trigger: Trigger) => void;
}

/** What a trigger listens to. */
export function TriggerForm({ trigger, onChange }: Props) {
  const { marks } = useSurroundings();
  const { data: channels } = useChannels();
  const types = useEventTypes();
  if (trigger.type === 'keyword') {
    const set = (patch: Partial<typeof trigger>) => onChange(patched(trigger, patch));
    return (
      <>
        <TagsInput
          label={words.keywords}
          description={words.keywordsHint}
          value={trigger.keywords ?? []}
          {...marks('/keywords')}
          onChange={(keywords) => set({ keywords })}
        />
        <PickField
          label={words.match}
          field="/match"
          value={trigger.match ?? 'exact'}
          options={(['exact', 'starts_with', 'contains'] as const).map((it) => ({
            value: it,
            label: words.matches[it],
          }))}
          onChange={(match) => set({ match: match as typeof trigger.match })}
        />
        <MultiSelect
          label={words.channels}
          description={words.channelsHint}
          data={(channels ?? []).map((it) => ({ value: it.id, label: it.name }))}
          value={trigger.channel_ids ?? []}
          {...marks('/channel_ids')}
          onChange={(ids) => set({ channel_ids: ids.length > 0 ? ids : undefined })}
        />
      </>
    );
  }
  if (trigger.type === 'schedule') {
    return (
      <>
        <TextInput
          label={words.cron}
          description={words.cronHint}
          value={trigger.cron ?? ''}
          {...marks('/cron')}
          spellCheck={false}
          onChange={(event) => onChange({ ...trigger, cron: event.currentTarget.value })}
        />
        <ConditionField
          label={words.audience}
          hint={words.audienceHint}
          field="/audience"
          value={trigger.audience}
          withoutVariables
          onChange={(audience) => onChange({ ...trigger, audience: audience ?? { all: [] } })}
        />
      </>
    );
  }
  const filter = (event: string[]) => (
    <ConditionField
      label={words.filter}
      hint={words.filterHint}
      field="/filter"
      value={trigger.filter}
      optional
      event={event}
      withoutVariables
      onChange={(it) => onChange(patched(trigger, { filter: it }))}
    />
  );
  if (trigger.type === 'event') {
    return (
      <>
        <Autocomplete
          label={words.event}
          data={types.names}
          value={trigger.event ?? ''}
          {...marks('/event')}
          onChange={(event) => onChange({ ...trigger, event })}
        />
        {filter(types.pathsOf(trigger.event))}
      </>
    );
  }
  return (
    <>
      <TextInput
        label={words.eventName}
        description={words.eventNameHint}
        placeholder="order.paid"
        value={trigger.name ?? ''}
        {...marks('/name')}
        onChange={(event) => onChange({ ...trigger, name: event.currentTarget.value })}
      />
      {filter(['name'])}
    </>
  );
}
