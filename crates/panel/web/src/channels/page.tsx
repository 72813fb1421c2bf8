import { Text } from '@mantine/core';
import { useCallback } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useSearchState } from '../app/search-state';
import { Choice } from '../components/choice';
import { FindBox } from '../components/find-box';
import { GuardedDrawer } from '../components/guarded';
import { Named } from '../components/named';
import { ResourcePage } from '../components/resource-page';
import { Status } from '../components/status';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { apiMessage } from '../i18n/api-messages';
import { texts } from '../i18n/texts';
import { type Channel, useChannel, useFoundChannels } from './api';
import classes from './channels.module.css';
import { CreateChannel } from './create';
import { ChannelDetails } from './details';
import { ChannelState } from './state';

const t = texts('channels');

interface Search {
  create?: boolean;
  channel?: string;
  q?: string;
  state?: Channel['status'];
}

const STATUSES = ['connecting', 'connected', 'disconnected'] as const;

/** Connect › Channels. */
export function Channels() {
  const { workspace, role } = useWhere();
  const [search, show] = useSearchState<Search>();
  const channels = useFoundChannels(workspace.id, { q: search.q, status: search.state });
  const rows = channels.data?.pages.flatMap((page) => page.data);
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  const close = () => show({ create: undefined, channel: undefined });
  const shown = rows?.find((it) => it.id === search.channel);
  const other = useChannel(workspace.id, rows && !shown ? search.channel : undefined);
  const open = shown ?? other.data;
  return (
    <ResourcePage
      title={t('title')}
      description={t('description')}
      call={{ path: '/api/v1/channels' }}
      create={
        mayWrite(role) && { label: t('create'), onClick: () => show({ create: true, channel: undefined }) }
      }
      rowKey={(it) => it.id}
      list={channels}
      columns={columns()}
      openKey={search.channel}
      onOpen={(it) => show({ channel: it.id })}
      filters={
        <>
          <FindBox label={t('filter')} value={search.q} onChange={find} />
          <Choice
            label={t('status')}
            width={190}
            value={search.state}
            options={STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
            onChange={(state) => show({ state: state as Search['state'] })}
          />
        </>
      }
      isFiltered={Boolean(search.q || search.state)}
      noMatch={{
        title: search.q
          ? t('noneFound')
          : t('noneWithStatus', { status: t(`statuses.${search.state ?? 'connected'}`) }),
        clear: t('showAll'),
      }}
      onClear={() => show({ q: undefined, state: undefined })}
      empty={{
        title: t('emptyTitle'),
        text: t('emptyText'),
        call: { method: 'POST', path: '/api/v1/channels', body: { kind: 'sandbox', name: 'Trial' } },
      }}
    >
      <CreateChannel
        opened={search.create === true}
        onClose={close}
        onOpen={(channel) => show({ channel, create: undefined })}
      />
      <GuardedDrawer
        opened={search.channel !== undefined && (open !== undefined || other.isError)}
        onClose={close}
        size={560}
        title={open?.name ?? t('channel')}
      >
        {open ? (
          <ChannelDetails key={open.id} channel={open} onGone={close} />
        ) : (
          <Text c="dimmed">{t('gone')}</Text>
        )}
      </GuardedDrawer>
    </ResourcePage>
  );
}

const columns = (): Column<Channel>[] => [
  {
    key: 'name',
    header: t('name'),
    render: (it) => (
      <span className={classes.name}>
        <Named text={it.name} />
        {it.is_default && <Status tone="off">{t('isDefault')}</Status>}
      </span>
    ),
  },
  { key: 'kind', header: t('type'), render: (it) => t(`types.${it.kind}`) },
  { key: 'state', header: t('status'), render: (it) => <ChannelState channel={it} /> },
  {
    key: 'test',
    header: t('lastTest'),
    render: (it) =>
      it.last_error ? (
        <span className={`one-line ${classes.fault}`} title={apiMessage(it.last_error)}>
          {apiMessage(it.last_error)}
        </span>
      ) : (
        <span className="dimmed">{t('noError')}</span>
      ),
  },
  {
    key: 'since',
    header: t('since'),
    render: (it) =>
      it.connected_at ? <When at={it.connected_at} /> : <span className="dimmed">{t('never')}</span>,
  },
];
