import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Choice } from '../components/choice';
import { FindBox } from '../components/find-box';
import { FoundList } from '../components/found-list';
import { GuardedDrawer } from '../components/guarded';
import { Page } from '../components/page';
import { Empty } from '../components/states';
import { Status, type Tone } from '../components/status';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { en } from '../i18n/en';
import { type Channel, useChannel, useFoundChannels } from './api';
import classes from './channels.module.css';
import { CreateChannel } from './create';
import { ChannelDetails } from './details';

const words = en.channels;

interface Search {
  create?: boolean;
  channel?: string;
  q?: string;
  state?: Channel['status'];
}

const TONES: Record<Channel['status'], Tone> = { connecting: 'wait', connected: 'ok', disconnected: 'bad' };

/** Connect › Channels. */
export function Channels() {
  const { workspace, role } = useWhere();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const channels = useFoundChannels(workspace.id, { q: search.q, status: search.state });
  const rows = channels.data?.pages.flatMap((page) => page.data);
  const show = useCallback(
    (next: Search) =>
      void navigate({
        to: '.',
        search: ((it: Search) => ({ ...it, ...next })) as never,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  const close = () => show({ create: undefined, channel: undefined });
  const shown = rows?.find((it) => it.id === search.channel);
  const other = useChannel(workspace.id, rows && !shown ? search.channel : undefined);
  const open = shown ?? other.data;
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
      <FoundList
        label={words.title}
        list={channels}
        columns={COLUMNS}
        openKey={search.channel}
        onOpen={(it) => show({ channel: it.id })}
        filters={
          <>
            <FindBox label={words.filter} value={search.q} onChange={find} />
            <Choice
              label={words.state}
              width={190}
              value={search.state}
              options={Object.entries(words.states).map(([value, label]) => ({ value, label }))}
              onChange={(state) => show({ state: state as Search['state'] })}
            />
          </>
        }
        isFiltered={Boolean(search.q || search.state)}
        noMatch={{
          title: search.q ? words.noneFound : words.noneInState(words.states[search.state ?? 'connected']),
          clear: words.showAll,
        }}
        onClear={() => show({ q: undefined, state: undefined })}
        empty={
          <Empty
            title={words.emptyTitle}
            action={create || undefined}
            call={{ method: 'POST', path: '/api/v1/channels', body: { kind: 'sandbox', name: 'Trial' } }}
          >
            {words.emptyText}
          </Empty>
        }
      />
      <CreateChannel
        opened={search.create === true}
        onClose={close}
        onOpen={(channel) => show({ channel, create: undefined })}
      />
      <GuardedDrawer
        opened={search.channel !== undefined && (open !== undefined || other.isError)}
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
      </GuardedDrawer>
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
