import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { ChoiceCards } from '../components/choice-cards';
import { Code } from '../components/code';
import { CopyButton } from '../components/copy';
import { GuardedDrawer } from '../components/guarded';
import { Failure } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { type Channel, type ChannelKind, useCreateChannel } from './api';

const t = texts('channels');

interface Props {
  opened: boolean;
  onClose: () => void;
  onOpen: (id: string) => void;
}

/** Asks what a channel of its kind needs, then shows its secret once where it has one. */
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
        <Form create={create} onCancel={() => leave(onClose)} />
      )}
    </GuardedDrawer>
  );
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
      {channel.inbound_path && (
        <>
          <Text fw={500} mb="xs">
            {t('inboundUrl')}
          </Text>
          <Code text={window.location.origin + channel.inbound_path} what={t('theInboundUrl')} />
          <Text size="sm" c="dimmed" mt="xs">
            {t('inboundHint')}
          </Text>
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

function Form({ create, onCancel }: { create: ReturnType<typeof useCreateChannel>; onCancel: () => void }) {
  const [kind, setKind] = useState<ChannelKind>('http');
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [isDefault, setDefault] = useState(false);
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
          ...(kind === 'http' ? { config: { url: url.trim() } } : {}),
        })
      }
    >
      <Stack gap="lg">
        <ChoiceCards<ChannelKind>
          label={t('type')}
          value={kind}
          onChange={setKind}
          choices={(['http', 'sandbox'] as const).map((it) => ({
            value: it,
            name: t(`types.${it}`),
            says: t(`typeHints.${it}`),
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
        {kind === 'http' && (
          <TextInput
            label={t('url')}
            description={t('urlHint')}
            placeholder="https://example.com/messages"
            type="url"
            maxLength={2048}
            autoComplete="off"
            spellCheck={false}
            value={url}
            error={faults.config}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
        )}
        <Switch
          label={t('makeDefault')}
          checked={isDefault}
          onChange={(event) => setDefault(event.currentTarget.checked)}
        />
        {elsewhere && <Failure error={create.error} />}
        <FormButtons onCancel={onCancel} loading={create.isPending} disabled={kind === 'http' && !url.trim()}>
          {t('create')}
        </FormButtons>
      </Stack>
    </SubmitForm>
  );
}
