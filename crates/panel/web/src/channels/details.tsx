import { Button, Group, Text } from '@mantine/core';
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
import { en } from '../i18n/en';
import { Outcome } from '../webhooks/test-webhook';
import { type Channel, useDeleteChannel, useSwitch, useTestChannel } from './api';
import { Captured } from './captured';
import classes from './channels.module.css';
import { ChannelState } from './page';
import { ChannelSettings } from './settings';

const words = en.channels;

/** One channel: how it is, what may be done with it, and what went out on it. */
export function ChannelDetails({ channel, onGone }: { channel: Channel; onGone: () => void }) {
  const { role } = useWhere();
  const { capabilities: can } = channel;
  const abilities = [
    can.types.join(', '),
    words.repliesOf(can.quick_replies),
    ...(can.inbound ? [words.inbound] : []),
    ...(can.receipts ? [words.receipts] : []),
  ];
  const rows: [string, React.ReactNode][] = [
    [words.state, <ChannelState key="state" channel={channel} />],
    [words.kind, words.kinds[channel.kind]],
    [words.can, abilities.join(' · ')],
    [words.since, channel.connected_at ? <When key="since" at={channel.connected_at} /> : en.common.never],
    [words.lastTest, channel.last_error ?? words.wasWell],
    ...(channel.secret_hint
      ? ([[words.secret, words.secretEnds(channel.secret_hint)]] as [string, string][])
      : []),
    [words.id, <Id key="id" id={channel.id} />],
  ];
  return (
    <>
      <Details rows={rows} />
      {channel.inbound_path && (
        <div className={classes.section}>
          <h3>{words.inboundPath}</h3>
          <p className={classes.hint}>{words.inboundHint}</p>
          <Code text={window.location.origin + channel.inbound_path} what={words.inboundPath.toLowerCase()} />
        </div>
      )}
      {mayWrite(role) && <Acts channel={channel} onGone={onGone} />}
      {mayWrite(role) && <ChannelSettings channel={channel} />}
      <Captured channel={channel} />
    </>
  );
}

function Acts({ channel, onGone }: { channel: Channel; onGone: () => void }) {
  const { workspace, administers } = useWhere();
  const [asking, ask] = useState<'disconnect' | 'delete'>();
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
            {words.connect}
          </Button>
        )}
        <Button
          variant="default"
          loading={test.isPending}
          onClick={() => test.mutate()}
          title={words.testHint}
        >
          {words.test}
        </Button>
        {connected && (
          <Button variant="default" onClick={() => ask('disconnect')}>
            {words.disconnect}
          </Button>
        )}
        {administers && (
          <Button variant="outline" color="red.8" className="danger" onClick={() => ask('delete')}>
            {words.remove}
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
        title={words.disconnectTitle(channel.name)}
        verb={words.disconnect}
        opened={asking === 'disconnect'}
        pending={turn.isPending}
        error={turn.error}
        onClose={leave}
        onConfirm={() => turn.mutate('disconnect', { onSuccess: leave })}
      >
        {words.disconnectHint}
      </Confirm>
      <ConfirmDelete
        title={words.removeTitle(channel.name)}
        verb={words.removeVerb}
        opened={asking === 'delete'}
        pending={remove.isPending}
        error={remove.error}
        onClose={leave}
        onConfirm={(force) => remove.mutate(force, { onSuccess: onGone })}
      >
        {words.removeHint} {channel.is_default && words.removeDefault}
      </ConfirmDelete>
    </div>
  );
}
