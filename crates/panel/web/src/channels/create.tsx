import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { ChoiceCards } from '../components/choice-cards';
import { Code } from '../components/code';
import { CopyButton } from '../components/copy';
import { GuardedDrawer } from '../components/guarded';
import { Failure, Waiting } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import {
  botOf,
  type Channel,
  type ChannelKind,
  type ChannelType,
  generatedSecrets,
  hasService,
  inboundUrl,
  isSetUp,
  type CreateChannel as NewChannel,
  numberOf,
  smsNumberOf,
  useChannelTypes,
  useCreateChannel,
} from './api';
import { ConfigForm } from './config-form';
import { type ConfigValues, isComplete, written } from './config-schema';

const t = texts('channels');

interface Props {
  opened: boolean;
  onClose: () => void;
  onOpen: (id: string) => void;
}

/** Asks for the configuration of a channel type. Then it shows the secret once, if the channel has one. */
export function CreateChannel({ opened, onClose, onOpen }: Props) {
  const { workspace } = useWhere();
  const create = useCreateChannel(workspace.id);
  const leave = (go: () => void) => {
    go();
    create.reset();
  };
  return (
    <GuardedDrawer
      opened={opened}
      onClose={() => leave(onClose)}
      title={create.data ? t('createdTitle') : t('create')}
    >
      {create.data ? (
        <Made channel={create.data} onOpen={() => leave(() => onOpen(create.data.id))} />
      ) : (
        <Types create={create} onCancel={() => leave(onClose)} />
      )}
    </GuardedDrawer>
  );
}

type Create = ReturnType<typeof useCreateChannel>;

/** Shows the form when the channel types are loaded. */
function Types({ create, onCancel }: { create: Create; onCancel: () => void }) {
  const { workspace } = useWhere();
  const types = useChannelTypes(workspace.id);
  if (types.error) return <Failure error={types.error} retry={() => void types.refetch()} />;
  if (!types.data) return <Waiting />;
  return <Form types={types.data} create={create} onCancel={onCancel} />;
}

function Made({ channel, onOpen }: { channel: Channel; onOpen: () => void }) {
  return (
    <>
      {channel.secret && (
        <>
          <Code text={channel.secret} what={t('theSecret')} />
          <Text size="sm" c="dimmed" mt="xs" mb="md">
            {t('secretOnce')}
          </Text>
        </>
      )}
      {Object.entries(generatedSecrets(channel)).map(([name, secret]) => (
        <div key={name}>
          <Text fw={500} mb="xs">
            {t('mailSecret')}
          </Text>
          <Code text={secret} what={t('theSecret')} />
          <Text size="sm" c="dimmed" mt="xs" mb="md">
            {t('generatedOnce')}
          </Text>
        </div>
      ))}
      {botOf(channel) && <Text>{t('botReady')}</Text>}
      {numberOf(channel) && <Text>{t('whatsappReady')}</Text>}
      {smsNumberOf(channel) && <Text>{t('numberReady')}</Text>}
      {channel.inbound_path && !isSetUp(channel) && (
        <>
          <Text fw={500} mb="xs">
            {t('inboundUrl')}
          </Text>
          <Code text={inboundUrl(channel)} what={t('theInboundUrl')} />
          <Text size="sm" c="dimmed" mt="xs">
            {t('inboundHint')}
          </Text>
          {hasService(channel) && <Text mt="md">{t('serviceNext')}</Text>}
          {channel.kind === 'email' && <Text mt="md">{t('mailNext')}</Text>}
        </>
      )}
      {channel.secret && <Text mt="md">{t('nextStep')}</Text>}
      <Group justify="flex-end" mt="lg" gap="xs">
        {channel.secret && <CopyButton text={channel.secret} what={t('theSecret')} />}
        <Button onClick={onOpen}>{t('open')}</Button>
      </Group>
    </>
  );
}

interface FormProps {
  types: ChannelType[];
  create: Create;
  onCancel: () => void;
}

/** The members of `config` and `secrets` come from the schemas of the selected type. */
function Form({ types, create, onCancel }: FormProps) {
  // The sandbox is the last choice, because it does not reach contacts.
  const choices = [...types].sort((a, b) => Number(a.kind === 'sandbox') - Number(b.kind === 'sandbox'));
  const [kind, setKind] = useState<ChannelKind>(choices[0]?.kind ?? 'sandbox');
  const [name, setName] = useState('');
  const [config, setConfig] = useState<ConfigValues>({});
  const [secrets, setSecrets] = useState<ConfigValues>({});
  const [isDefault, setDefault] = useState(false);
  const type = types.find((it) => it.kind === kind);
  const { config_schema = {}, secrets_schema = {} } = type ?? {};
  const select = (other: ChannelKind) => {
    setKind(other);
    setConfig({});
    setSecrets({});
  };
  const has = (schema: typeof config_schema) => Object.keys(schema.properties ?? {}).length > 0;
  const complete = isComplete(config_schema, config) && isComplete(secrets_schema, secrets);
  const faults = faultsByField(create.error);
  const elsewhere = create.error && Object.keys(faults).length === 0;
  return (
    <SubmitForm
      noValidate
      onSubmit={() =>
        create.mutate({
          kind,
          name: name.trim() || undefined,
          is_default: isDefault || undefined,
          ...(has(config_schema) ? { config: written(config) as NewChannel['config'] } : {}),
          ...(has(secrets_schema) ? { secrets: written(secrets) as NewChannel['secrets'] } : {}),
        })
      }
    >
      <Stack gap="lg">
        <ChoiceCards<ChannelKind>
          label={t('type')}
          value={kind}
          onChange={select}
          choices={choices.map((it) => ({
            value: it.kind,
            name: t(`types.${it.kind}`),
            says: t(`typeHints.${it.kind}`),
          }))}
          error={faults.kind}
        />
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          maxLength={100}
          autoComplete="off"
          value={name}
          error={faults.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ConfigForm
          kind={kind}
          schema={config_schema}
          values={config}
          error={create.error}
          at="config"
          onChange={setConfig}
        />
        <ConfigForm
          kind={kind}
          schema={secrets_schema}
          values={secrets}
          error={create.error}
          at="secrets"
          hidden
          onChange={setSecrets}
        />
        <Switch
          label={t('makeDefault')}
          checked={isDefault}
          onChange={(event) => setDefault(event.currentTarget.checked)}
        />
        {elsewhere && <Failure error={create.error} />}
        <FormButtons onCancel={onCancel} loading={create.isPending} disabled={!complete}>
          {t('create')}
        </FormButtons>
      </Stack>
    </SubmitForm>
  );
}
