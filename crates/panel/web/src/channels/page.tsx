import { Button, Drawer, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Choice } from '../components/choice';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { Status, type Tone } from '../components/status';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import { en } from '../i18n/en';
import { type Channel, useChannels } from './api';
import classes from './channels.module.css';
import { CreateChannel } from './create';
import { ChannelDetails } from './details';

const words = en.channels;

interface Search {
  create?: boolean;
  channel?: string;
  state?: Channel['status'];
}

const TONES: Record<Channel['status'], Tone> = { connecting: 'wait', connected: 'ok', disconnected: 'bad' };

/** Connect › Channels. */
export function Channels() {
  const { workspace, role } = useWhere();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const channels = useChannels(workspace.id);
  const all = channels.data ?? [];
  const rows = search.state ? all.filter((it) => it.status === search.state) : all;
  const show = (next: Search) =>
    void navigate({
      to: '.',
      search: ((it: Search) => ({ ...it, ...next })) as never,
      replace: true,
      resetScroll: false,
    });
  const close = () => show({ create: undefined, channel: undefined });
  const open = all.find((it) => it.id === search.channel);
  const create = mayWrite(role) && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => show({ create: true, channel: undefined })}>
      {words.create}
    </Button>
  );
  return (
    <Page
      title={words.title}
      description={words.description}
      call={{ path: '/api/v1/channels' }}
      action={create || undefined}
    >
      {channels.error && !channels.data ? (
        <Failure error={channels.error} retry={() => void channels.refetch()} />
      ) : channels.isPending ? (
        <Waiting />
      ) : all.length === 0 ? (
        <Empty
          title={words.emptyTitle}
          action={create || undefined}
          call={{ method: 'POST', path: '/api/v1/channels', body: { kind: 'sandbox', name: 'Trial' } }}
        >
          {words.emptyText}
        </Empty>
      ) : (
        <>
          <div className={classes.filters}>
            <Choice
              label={words.state}
              width={190}
              value={search.state}
              options={Object.entries(words.states).map(([value, label]) => ({ value, label }))}
              onChange={(state) => show({ state: state as Search['state'] })}
            />
          </div>
          {rows.length === 0 ? (
            <Empty
              title={words.noneInState(words.states[search.state ?? 'connected'])}
              action={
                <Button variant="default" onClick={() => show({ state: undefined })}>
                  {words.showAll}
                </Button>
              }
            >
              {words.description}
            </Empty>
          ) : (
            <DataTable
              label={words.title}
              columns={COLUMNS}
              rows={rows}
              rowKey={(it) => it.id}
              openKey={search.channel}
              onOpen={(it) => show({ channel: it.id })}
            />
          )}
        </>
      )}
      <CreateChannel
        opened={search.create === true}
        onClose={close}
        onOpen={(channel) => show({ channel, create: undefined })}
      />
      <Drawer
        opened={search.channel !== undefined && channels.data !== undefined}
        onClose={close}
        size={560}
        title={open?.name ?? words.channel}
        closeButtonProps={{ 'aria-label': en.common.close }}
      >
        {open ? (
          <ChannelDetails key={open.id} channel={open} onGone={close} />
        ) : (
          <Text c="dimmed">{words.gone}</Text>
        )}
      </Drawer>
    </Page>
  );
}

/** Whether a channel carries messages. */
export function ChannelState({ channel }: { channel: Channel }) {
  return <Status tone={TONES[channel.status]}>{words.states[channel.status]}</Status>;
}

const COLUMNS: Column<Channel>[] = [
  {
    key: 'name',
    header: words.name,
    render: (it) => (
      <span className={classes.name}>
        <span className="named one-line" title={it.name}>
          {it.name}
        </span>
        {it.is_default && <Status tone="off">{words.isDefault}</Status>}
      </span>
    ),
  },
  { key: 'kind', header: words.kind, render: (it) => words.kinds[it.kind] },
  { key: 'state', header: words.state, render: (it) => <ChannelState channel={it} /> },
  {
    key: 'test',
    header: words.lastTest,
    render: (it) =>
      it.last_error ? (
        <span className={`one-line ${classes.fault}`} title={it.last_error}>
          {it.last_error}
        </span>
      ) : (
        <span className="dimmed">{words.wasWell}</span>
      ),
  },
  {
    key: 'since',
    header: words.since,
    render: (it) =>
      it.connected_at ? <When at={it.connected_at} /> : <span className="dimmed">{en.common.never}</span>,
  },
];
