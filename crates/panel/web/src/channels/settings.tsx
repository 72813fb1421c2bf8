import { Switch, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { keys } from '../api/keys';
import { faultsBelow } from '../api/problem';
import { useWhere } from '../app/here';
import { Loaded } from '../components/loaded';
import { Failure } from '../components/states';
import { inWords } from '../forms/changes';
import { useDraft, type Versioned } from '../forms/use-draft';
import { VersionedForm } from '../forms/versioned';
import { texts } from '../i18n/texts';
import {
  type Channel,
  type ChannelDraft,
  type ChannelSchemas,
  readDraft,
  useChannelTypes,
  useSaveChannel,
  type WaitRule,
} from './api';
import classes from './channels.module.css';
import { ConfigForm, labelAt } from './config-form';
import { membersOf, objectOf, trimmed } from './config-schema';
import { OverlapForm, replacesSigning, USUAL_OVERLAP } from './overlap-form';
import { WaitForm, waitText } from './wait-form';

const t = texts('channels');

/** All secrets can be replaced. */
const NONE: string[] = [];

/** The schemas of a type that the server does not serve any more. */
const UNKNOWN = { config_schema: {}, secrets_schema: {}, fixed: [] };

/** A draft as it is saved: without an overlap if no signing secret is replaced. */
function meant(draft: ChannelDraft): ChannelDraft {
  return { ...trimmed(draft), overlap: replacesSigning(draft) ? draft.overlap : USUAL_OVERLAP };
}

interface Props {
  channel: Channel;
  type: ChannelSchemas;
}

/** Edits the name, the configuration and the secrets of a channel. */
export function ChannelSettings({ channel }: { channel: Channel }) {
  const { workspace } = useWhere();
  const types = useChannelTypes(workspace.id);
  return (
    <div className={classes.section}>
      <h3>{t('settings')}</h3>
      <Loaded asked={types} lines={3}>
        {(all) => {
          const type = all.find((it) => it.kind === channel.kind) ?? { ...UNKNOWN, kind: channel.kind };
          return <LatestSettings channel={channel} type={type} />;
        }}
      </Loaded>
    </div>
  );
}

function LatestSettings(props: Props) {
  const { channel, type } = props;
  const { workspace } = useWhere();
  const latest = useQuery({
    queryKey: [...keys.channels(workspace.id), channel.id, 'draft', channel.version],
    queryFn: () => readDraft(workspace.id, channel.id, type),
    // A form with unsaved changes stays while a new version is read.
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded asked={latest} lines={3}>
      {(data) => <Form {...props} latest={data} />}
    </Loaded>
  );
}

function Form({ channel, type, latest }: Props & { latest: Versioned<ChannelDraft> }) {
  const { workspace } = useWhere();
  const { config_schema, secrets_schema } = type;
  const editing = useDraft<ChannelDraft>({
    latest,
    meant,
    read: () => readDraft(workspace.id, channel.id, type),
    save: useSaveChannel(workspace.id, channel.id, type),
  });
  const { draft, set, faults, error } = editing;
  const isUnplaced = (at: string) => at in faults && Object.keys(faultsBelow(error, at)).length === 0;
  const own: Record<string, string> = {
    name: t('name'),
    is_default: t('default'),
    while_disconnected: t('whileDisconnected'),
    overlap: t('overlap'),
  };
  const nameOf = (field: string) => own[field] ?? labelAt(type, field);
  const textOf = (field: string, value: unknown) =>
    field === 'while_disconnected' ? waitText(value as WaitRule) : inWords(value);
  return (
    <VersionedForm editing={editing} nameOf={nameOf} textOf={textOf}>
      <TextInput
        label={t('name')}
        maxLength={100}
        autoComplete="off"
        value={draft.name}
        error={faults.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <ConfigForm
        kind={channel.kind}
        schema={config_schema}
        values={objectOf(draft, 'config')}
        error={error}
        at="config"
        fixed={type.fixed}
        onChange={(values) => set(membersOf(config_schema, values, 'config'))}
      />
      {Object.keys(secrets_schema.properties ?? {}).length > 0 && (
        <>
          <div>
            <h4 className={classes.secrets}>{t('secrets')}</h4>
            <p className={classes.hint}>{t('secretsHint')}</p>
          </div>
          <ConfigForm
            kind={channel.kind}
            schema={secrets_schema}
            values={objectOf(draft, 'secrets')}
            error={error}
            at="secrets"
            hidden
            fixed={NONE}
            onChange={(values) => set(membersOf(secrets_schema, values, 'secrets'))}
          />
          {replacesSigning(draft) && (
            <OverlapForm
              value={draft.overlap}
              error={faults.overlap}
              onChange={(overlap) => set({ overlap })}
            />
          )}
        </>
      )}
      <WaitForm
        rule={draft.while_disconnected}
        error={error}
        onChange={(while_disconnected) => set({ while_disconnected })}
      />
      {(isUnplaced('config') || isUnplaced('secrets')) && <Failure error={error} />}
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
