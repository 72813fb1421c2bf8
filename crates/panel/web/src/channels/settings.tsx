import { Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/keys';
import { useWhere } from '../app/here';
import { useDraft, type Versioned } from '../forms/use-draft';
import { VersionedForm } from '../forms/versioned';
import { texts } from '../i18n/texts';
import { type Channel, type ChannelDraft, readDraft, useSaveChannel } from './api';
import classes from './channels.module.css';

const t = texts('channels');

export function ChannelSettings({ channel }: { channel: Channel }) {
  const { workspace } = useWhere();
  const latest = useQuery({
    queryKey: [...keys.channels(workspace.id), channel.id, 'draft', channel.version],
    queryFn: () => readDraft(workspace.id, channel.id),
  });
  return (
    <div className={classes.section}>
      <h3>{t('settings')}</h3>
      {latest.data && <Form channel={channel} latest={latest.data} />}
    </div>
  );
}

function Form({ channel, latest }: { channel: Channel; latest: Versioned<ChannelDraft> }) {
  const { workspace } = useWhere();
  const save = useSaveChannel(workspace.id, channel.id);
  const editing = useDraft<ChannelDraft>({ latest, read: () => readDraft(workspace.id, channel.id), save });
  const { draft, set, faults } = editing;
  return (
    <VersionedForm editing={editing} nameOf={(field) => t(field === 'is_default' ? 'default' : field)}>
      <TextInput
        label={t('name')}
        maxLength={100}
        autoComplete="off"
        value={draft.name}
        error={faults.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      {channel.kind === 'http' && (
        <TextInput
          label={t('url')}
          type="url"
          maxLength={2048}
          autoComplete="off"
          spellCheck={false}
          value={draft.url}
          error={faults.config}
          onChange={(event) => set({ url: event.currentTarget.value })}
        />
      )}
      {!channel.is_default && (
        <Switch
          label={t('makeDefault')}
          checked={draft.is_default}
          onChange={(event) => set({ is_default: event.currentTarget.checked })}
        />
      )}
    </VersionedForm>
  );
}
