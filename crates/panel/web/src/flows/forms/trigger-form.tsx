import { Autocomplete, MultiSelect, TagsInput, TextInput } from '@mantine/core';
import { useChannels } from '../../conditions/use-fields';
import { texts } from '../../i18n/texts';
import type { Trigger } from '../definition';
import { ConditionField } from './condition-field';
import { patched, useSurroundings } from './context';
import { EVENT_PATH, useEventTypes } from './events';
import { PickField } from './pick-field';

const t = texts('flow-forms');

interface Props {
  trigger: Trigger;
  onChange: (trigger: Trigger) => void;
}

export function TriggerForm({ trigger, onChange }: Props) {
  const { marks } = useSurroundings();
  const { data: channels } = useChannels();
  const types = useEventTypes();
  if (trigger.type === 'keyword') {
    const set = (patch: Partial<typeof trigger>) => onChange(patched(trigger, patch));
    return (
      <>
        <TagsInput
          label={t('keywords')}
          description={t('keywordsHint')}
          value={trigger.keywords ?? []}
          {...marks('/keywords')}
          onChange={(keywords) => set({ keywords })}
        />
        <PickField
          label={t('match')}
          field="/match"
          value={trigger.match ?? 'exact'}
          options={(['exact', 'starts_with', 'contains'] as const).map((it) => ({
            value: it,
            label: t(`matches.${it}`),
          }))}
          onChange={(match) => set({ match: match as typeof trigger.match })}
        />
        <MultiSelect
          label={t('channels')}
          description={t('channelsHint')}
          data={(channels ?? []).map((it) => ({ value: it.id, label: it.name }))}
          value={trigger.channel_ids ?? []}
          {...marks('/channel_ids')}
          onChange={(ids) => set({ channel_ids: ids.length > 0 ? ids : undefined })}
        />
      </>
    );
  }
  if (trigger.type === 'referral') {
    return (
      <>
        <TextInput
          label={t('ref')}
          description={t('refHint')}
          value={trigger.ref ?? ''}
          {...marks('/ref')}
          spellCheck={false}
          onChange={(event) => onChange({ ...trigger, ref: event.currentTarget.value })}
        />
        <PickField
          label={t('match')}
          field="/match"
          value={trigger.match ?? 'exact'}
          options={(['exact', 'starts_with'] as const).map((it) => ({
            value: it,
            label: t(`referralMatches.${it}`),
          }))}
          onChange={(match) => onChange({ ...trigger, match: match as typeof trigger.match })}
        />
      </>
    );
  }
  if (trigger.type === 'schedule') {
    return (
      <>
        <TextInput
          label={t('cron')}
          description={t('cronHint')}
          value={trigger.cron ?? ''}
          {...marks('/cron')}
          spellCheck={false}
          onChange={(event) => onChange({ ...trigger, cron: event.currentTarget.value })}
        />
        <ConditionField
          label={t('audience')}
          hint={t('audienceHint')}
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
      label={t('filter')}
      hint={t('filterHint')}
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
          label={t('event')}
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
        label={t('eventName')}
        description={t('eventNameHint', { path: EVENT_PATH })}
        placeholder={t('eventNameExample')}
        value={trigger.name ?? ''}
        {...marks('/name')}
        onChange={(event) => onChange({ ...trigger, name: event.currentTarget.value })}
      />
      {filter(['name'])}
    </>
  );
}
