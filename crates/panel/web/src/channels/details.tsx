import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Code } from '../components/code';
import { Confirm } from '../components/confirm';
import { ConfirmDelete } from '../components/confirm-delete';
import { Details } from '../components/details';
import { Id } from '../components/id';
import { Failure } from '../components/states';
import { When } from '../components/when';
import { apiMessage } from '../i18n/api-messages';
import { texts } from '../i18n/texts';
import { hasTemplates } from '../provider-templates/api';
import { TemplateSection } from '../provider-templates/list';
import { Outcome } from '../webhooks/test-webhook';
import {
  botOf,
  type Channel,
  inboundUrl,
  isSetUp,
  numberOf,
  smsNumberOf,
  useDeleteChannel,
  useSwitch,
  useTestChannel,
} from './api';
import { Captured } from './captured';
import classes from './channels.module.css';
import { Health } from './health';
import { RotateSecret } from './rotate';
import { ChannelSettings } from './settings';
import { ChannelState } from './state';
import { Unparsed } from './unparsed';
import { waitText } from './wait-form';

const t = texts('channels');

export function ChannelDetails({ channel, onGone }: { channel: Channel; onGone: () => void }) {
  const { role, administers } = useWhere();
  const { capabilities: can } = channel;
  const abilities = [
    can.types.map((it) => t(`messageTypes.${it}`)).join(', '),
    t('quickReplies', { count: can.quick_replies }),
    ...(can.inbound ? [t('inbound')] : []),
    ...(can.receipts ? [t('receipts')] : []),
  ];
  const bot = botOf(channel);
  const number = numberOf(channel);
  const smsNumber = smsNumberOf(channel);
  const rows: [string, React.ReactNode][] = [
    [t('status'), <ChannelState key="state" channel={channel} />],
    [t('type'), t(`types.${channel.kind}`)],
    ...(bot ? [[t('bot'), <BotLink key="bot" name={bot} />] as [string, React.ReactNode]] : []),
    ...(number ? [[t('phoneNumber'), number] as [string, React.ReactNode]] : []),
    ...(smsNumber ? [[t('smsNumber'), smsNumber] as [string, React.ReactNode]] : []),
    [t('features'), abilities.join(' · ')],
    [t('since'), channel.connected_at ? <When key="since" at={channel.connected_at} /> : t('never')],
    ...whileDisconnected(channel),
    [t('lastTest'), channel.last_error ? apiMessage(channel.last_error) : t('noError')],
    ...(channel.secret_hint
      ? ([[t('secret'), t('secretEnds', { hint: channel.secret_hint })]] as [string, string][])
      : []),
    [t('id'), <Id key="id" id={channel.id} />],
  ];
  return (
    <>
      <Details rows={rows} />
      <Health channel={channel} />
      {channel.inbound_path && !isSetUp(channel) && (
        <div className={classes.section}>
          <h3>{t('inboundUrl')}</h3>
          <p className={classes.hint}>{t('inboundHint')}</p>
          <Code text={inboundUrl(channel)} what={t('theInboundUrl')} />
        </div>
      )}
      {mayWrite(role) && <Acts channel={channel} onGone={onGone} />}
      {mayWrite(role) && <ChannelSettings channel={channel} />}
      {hasTemplates(channel) && <TemplateSection channel={channel} />}
      {administers && channel.inbound_path && <Unparsed channel={channel} />}
      <Captured channel={channel} />
    </>
  );
}

/** What happens to messages while the provider rejects the channel. */
function whileDisconnected({ while_disconnected: rule }: Channel): [string, React.ReactNode][] {
  return rule ? [[t('whileDisconnected'), waitText(rule)]] : [];
}

/** Opens the chat with a bot. */
function BotLink({ name }: { name: string }) {
  return (
    <Anchor href={`https://t.me/${name}`} target="_blank" rel="noreferrer">
      @{name}
    </Anchor>
  );
}

function Acts({ channel, onGone }: { channel: Channel; onGone: () => void }) {
  const { workspace, administers } = useWhere();
  const [asking, ask] = useState<'disconnect' | 'rotate' | 'delete'>();
  const test = useTestChannel(workspace.id, channel.id);
  const turn = useSwitch(workspace.id, channel.id);
  const remove = useDeleteChannel(workspace.id, channel.id);
  const leave = () => ask(undefined);
  const connected = channel.status === 'connected';
  return (
    <div className={classes.section}>
      <Group gap="xs">
        {!connected && (
          <Button loading={turn.isPending} onClick={() => turn.mutate('connect')}>
            {t('connect')}
          </Button>
        )}
        <Button
          variant="default"
          loading={test.isPending}
          onClick={() => test.mutate()}
          title={t('testHint')}
        >
          {t('test')}
        </Button>
        {connected && (
          <Button variant="default" onClick={() => ask('disconnect')}>
            {t('disconnect')}
          </Button>
        )}
        {channel.kind === 'http' && (
          <Button variant="default" onClick={() => ask('rotate')}>
            {t('rotate')}
          </Button>
        )}
        {administers && (
          <Button variant="outline" color="red.8" className="danger" onClick={() => ask('delete')}>
            {t('delete')}
          </Button>
        )}
      </Group>
      <div role="status">
        {test.error && <Failure error={test.error} />}
        {test.data && !test.isPending && (
          <Text component="div" mt="md">
            <Outcome outcome={test.data} />
          </Text>
        )}
      </div>
      {turn.error && asking === undefined && <Failure error={turn.error} />}
      <Confirm
        title={t('disconnectTitle', { name: channel.name })}
        verb={t('disconnect')}
        opened={asking === 'disconnect'}
        pending={turn.isPending}
        error={turn.error}
        onClose={leave}
        onConfirm={() => turn.mutate('disconnect', { onSuccess: leave })}
      >
        {t('disconnectHint')}
      </Confirm>
      <RotateSecret channel={channel} opened={asking === 'rotate'} onClose={leave} />
      <ConfirmDelete
        title={t('deleteTitle', { name: channel.name })}
        verb={t('deleteVerb')}
        opened={asking === 'delete'}
        pending={remove.isPending}
        error={remove.error}
        onClose={leave}
        onConfirm={(force) => remove.mutate(force, { onSuccess: onGone })}
      >
        {channel.is_default ? t('deleteDefaultHint') : t('deleteHint')}
      </ConfirmDelete>
    </div>
  );
}
