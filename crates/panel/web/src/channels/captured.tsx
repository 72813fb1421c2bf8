import { Text } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react';
import type { components } from '../api/schema';
import { useWhere } from '../app/here';
import { Loaded } from '../components/loaded';
import { ObjectLink } from '../components/object-link';
import { Status } from '../components/status';
import { type Column, DataTable, morePages } from '../components/table';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { nameOf, useContacts } from '../inbox/people';
import { toneOf, wordsOf } from '../sandbox/messages';
import { type Channel, useCaptured } from './api';
import classes from './channels.module.css';

const t = texts('channels');
type Message = components['schemas']['Message'];

/** The messages that a channel sent to its provider, or would have sent if it is a sandbox. */
export function Captured({ channel }: { channel: Channel }) {
  const { workspace } = useWhere();
  const asked = useCaptured(workspace.id, channel.id);
  const rows = asked.data?.pages.flatMap((page) => page.data) ?? [];
  const contact = useContacts(
    workspace.id,
    rows.map((it) => it.contact_id),
  );
  return (
    <div className={classes.section}>
      <h3>{t('messages')}</h3>
      <p className={classes.hint}>{channel.kind === 'sandbox' ? t('messagesSandbox') : t('messagesHttp')}</p>
      <Loaded asked={asked} lines={3}>
        {() =>
          rows.length === 0 ? (
            <Text c="dimmed">{t('noMessages')}</Text>
          ) : (
            <div className={classes.captured}>
              <DataTable
                label={t('messages')}
                columns={columnsOf((id) => nameOf(contact(id), id))}
                rows={rows}
                rowKey={(it) => it.id}
                {...morePages(asked)}
              />
            </div>
          )
        }
      </Loaded>
    </div>
  );
}

/** Two columns of two lines: a drawer and a phone have no room for more. */
const columnsOf = (contact: (id: string) => string): Column<Message>[] => [
  {
    key: 'message',
    header: t('message'),
    width: '100%',
    render: (it) => (
      <>
        <div className={classes.line}>
          <Direction of={it} />
          <ObjectLink id={it.contact_id} className="named">
            {contact(it.contact_id)}
          </ObjectLink>
        </div>
        <div className={`dimmed ${classes.line}`} title={wordsOf(it)}>
          {wordsOf(it)}
        </div>
      </>
    ),
  },
  {
    key: 'status',
    header: t('status'),
    render: (it) => (
      <>
        <Status tone={toneOf(it.status)}>{t.find('statuses', it.status) ?? it.status}</Status>
        <div className="dimmed">
          <When at={it.created_at} />
        </div>
      </>
    ),
  },
];

function Direction({ of: { direction } }: { of: Message }) {
  const label = t(`directions.${direction}`);
  const Arrow = direction === 'inbound' ? IconArrowDownLeft : IconArrowUpRight;
  return (
    <span role="img" aria-label={label} title={label} className={classes.direction}>
      <Arrow size={14} aria-hidden />
    </span>
  );
}
