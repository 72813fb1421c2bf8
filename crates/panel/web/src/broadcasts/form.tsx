import { Select, Stack, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { useWhere } from '../app/here';
import { SandboxNotice } from '../channels/sandbox-notice';
import { Lost } from '../components/lost';
import { type Editing, useDraft } from '../forms/use-draft';
import { VersionedForm } from '../forms/versioned';
import { texts } from '../i18n/texts';
import { useChannels } from '../inbox/api';
import { readBroadcast, useSaveBroadcast, type Versioned } from './api';
import { AudienceField } from './audience-field';
import { type Draft, draftOf } from './draft';
import { MessageField } from './message-field';
import { RepeatNote } from './repeat';
import { ScheduleField } from './schedule-field';
import { defaultChannelName } from './words';

const t = texts('broadcasts');

interface Props {
  latest: Versioned;
  /** Called when the form gets or loses unsaved changes. */
  onDirty: (dirty: boolean) => void;
}

export function BroadcastForm({ latest, onDirty }: Props) {
  const { workspace } = useWhere();
  const { id } = latest.broadcast;
  const save = useSaveBroadcast(workspace.id, id);
  const editing = useDraft<Draft>({
    latest: { draft: draftOf(latest.broadcast), etag: latest.etag },
    read: async () => {
      const now = await readBroadcast(workspace.id, id);
      return { draft: draftOf(now.broadcast), etag: now.etag };
    },
    save,
  });
  const dirty = editing.changed.length > 0;
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  return (
    <VersionedForm editing={editing} nameOf={(field) => t(`fields.${field}`)}>
      <Lost references={latest.broadcast.lost_references}>{t('lost')}</Lost>
      <Stack gap="lg">
        <RepeatNote broadcast={latest.broadcast} />
        <Fields editing={editing} />
      </Stack>
    </VersionedForm>
  );
}

function Fields({ editing: { draft, set, faults } }: { editing: Editing<Draft> }) {
  const { workspace } = useWhere();
  const channels = useChannels(workspace.id);
  const usual = channels.find((it) => it.is_default);
  const channel = channels.find((it) => it.id === draft.channel_id) ?? usual;
  return (
    <>
      <TextInput
        label={t('name')}
        maxLength={100}
        autoComplete="off"
        value={draft.name}
        error={faults.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <AudienceField
        value={draft.audience}
        onChange={(audience) => set({ audience })}
        error={faults.audience}
      />
      <Select
        label={t('channel')}
        allowDeselect={false}
        data={[
          { value: '', label: defaultChannelName(usual?.name) },
          ...channels.map((it) => ({ value: it.id, label: it.name })),
        ]}
        value={draft.channel_id ?? ''}
        error={faults.channel_id}
        onChange={(id) => set({ channel_id: id || null })}
      />
      <SandboxNotice of={[draft.channel_id]} />
      <MessageField
        value={draft.message}
        onChange={(message) => set({ message })}
        channel={channel}
        error={faults.message}
      />
      <ScheduleField value={draft} onChange={set} error={faults.scheduled_at ?? faults.time_zone} />
      <TextInput
        label={t('rate')}
        description={t('rateHint')}
        inputMode="numeric"
        maw={280}
        value={draft.rate_per_minute ?? ''}
        error={faults.rate_per_minute}
        onChange={(event) => {
          const digits = event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 6);
          set({ rate_per_minute: digits ? Number(digits) : null });
        }}
      />
    </>
  );
}
