import { Text } from '@mantine/core';
import type { components } from '../api/schema';
import { useWhere } from '../app/here';
import { shortened } from '../components/id';
import { Loaded } from '../components/loaded';
import { ObjectLink } from '../components/object-link';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { type Channel, useCaptured } from './api';
import classes from './channels.module.css';

const t = texts('channels');
type Message = components['schemas']['Message'];

/** The messages that a channel sent to its provider, or would have sent if it is a sandbox. */
export function Captured({ channel }: { channel: Channel }) {
  const { workspace } = useWhere();
  const asked = useCaptured(workspace.id, channel.id);
  const rows = asked.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <div className={classes.section}>
      <h3>{t('messages')}</h3>
      <p className={classes.hint}>{channel.kind === 'sandbox' ? t('messagesSandbox') : t('messagesHttp')}</p>
      <Loaded asked={asked} lines={3}>
        {() =>
          rows.length === 0 ? (
            <Text c="dimmed">{t('noMessages')}</Text>
          ) : (
            <DataTable
              label={t('messages')}
              columns={columns()}
              rows={rows}
              rowKey={(it) => it.id}
              more={asked.hasNextPage ? () => void asked.fetchNextPage() : undefined}
              loadingMore={asked.isFetchingNextPage}
            />
          )
        }
      </Loaded>
    </div>
  );
}

const columns = (): Column<Message>[] => [
  { key: 'time', header: t('time'), render: (it) => <When at={it.created_at} /> },
  {
    key: 'text',
    header: t('text'),
    render: (it) => (
      <span className={`one-line ${classes.captured}`} title={it.text ?? undefined}>
        {it.text ?? it.type}
      </span>
    ),
  },
  {
    key: 'to',
    header: t('to'),
    render: (it) => (
      <ObjectLink id={it.contact_id} className="mono-small">
        {shortened(it.contact_id)}
      </ObjectLink>
    ),
  },
  { key: 'status', header: t('status'), render: (it) => t.find('messageStatuses', it.status) ?? it.status },
];
