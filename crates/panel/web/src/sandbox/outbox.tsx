import { Title } from '@mantine/core';
import { useWhere } from '../app/here';
import { useSearchState } from '../app/search-state';
import { shortened } from '../components/id';
import { Empty, Failure, Waiting } from '../components/states';
import { Status } from '../components/status';
import { type Column, DataTable } from '../components/table';
import { texts } from '../i18n/texts';
import { useContactNames, useOutbox } from './api';
import { MessageDrawer } from './message';
import { type Message, senderOf, statusOf, toneOf, wordsOf } from './messages';
import classes from './outbox.module.css';
import { absolute, clock } from './times';

const t = texts('sandbox');

/** The captured outgoing messages, which are refreshed. */
export function Outbox({ channel }: { channel: string }) {
  const { workspace: sandbox } = useWhere();
  const [{ message: open }, show] = useSearchState<{ message?: string }>();
  const outbox = useOutbox(sandbox.id, channel);
  const messages = outbox.data ?? [];
  const names = useContactNames(sandbox.id, messages);
  return (
    <section className={classes.outbox} aria-labelledby="outbox">
      <div className={classes.head}>
        <Title order={2} id="outbox">
          {t('outbox')}
        </Title>
        <p className={classes.hint}>{t('outboxHint')}</p>
      </div>
      {messages.length > 0 ? (
        <DataTable
          label={t('outbox')}
          columns={columns(names)}
          rows={messages}
          rowKey={(message) => message.id}
          openKey={open}
          onOpen={(message) => show({ message: message.id })}
        />
      ) : (
        <div className={classes.state}>
          {outbox.error ? (
            <Failure error={outbox.error} retry={() => void outbox.refetch()} />
          ) : outbox.isPending ? (
            <Waiting />
          ) : (
            <div className={classes.bare}>
              <Empty title={t('noMessages')}>{t('outboxEmptyHint')}</Empty>
            </div>
          )}
        </div>
      )}
      <MessageDrawer
        opened={open !== undefined && !outbox.isPending}
        message={messages.find((it) => it.id === open)}
        to={(id) => names.get(id)}
        onClose={() => show({ message: undefined })}
      />
    </section>
  );
}

function columns(names: Map<string, string>): Column<Message>[] {
  return [
    {
      key: 'time',
      header: t('time'),
      render: (message) => (
        <time className="figures" dateTime={message.created_at} title={absolute(message.created_at)}>
          {clock(message.created_at)}
        </time>
      ),
    },
    {
      key: 'to',
      header: t('to'),
      render: ({ contact_id: id }) => (
        <span className={classes.name} title={names.get(id) ?? id}>
          {names.get(id) ?? <span className="mono-small">{shortened(id)}</span>}
        </span>
      ),
    },
    {
      key: 'text',
      header: t('text'),
      width: '100%',
      render: (message) => <span className={classes.text}>{wordsOf(message)}</span>,
    },
    { key: 'sender', header: t('sender'), render: senderOf },
    {
      key: 'status',
      header: t('status'),
      render: ({ status }) => <Status tone={toneOf(status)}>{statusOf(status)}</Status>,
    },
  ];
}
