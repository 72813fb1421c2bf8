import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiIn } from '../api/client';
import { useWhere } from '../app/here';
import { shortened } from '../components/id';
import type { Column } from '../components/table';
import { why } from '../contact/told';
import { useFlowChoices, useSequenceChoices } from '../flows/build/use-names';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import classes from './analytics.module.css';
import { ChannelName } from './channel-name';
import { Section } from './section';
import { LINES, nameOfLine, type Overview, type Subject } from './series';

const t = texts('analytics');

interface Props {
  overview: Overview;
}

/** The columns for the counts of a subject. */
function counts<Row>(subject: Subject, of: (row: Row) => object): Column<Row>[] {
  return LINES[subject].map((line) => ({
    key: line,
    header: nameOfLine(line),
    align: 'end',
    render: (row) => number((of(row) as Record<string, number>)[line] ?? 0),
  }));
}

export function ByChannel({ overview }: Props) {
  return (
    <Section
      title={t('byChannel')}
      rows={overview.by_channel}
      rowKey={(it) => it.channel_id}
      columns={[
        { key: 'channel', header: t('channel'), render: (it) => <ChannelName id={it.channel_id} /> },
        ...counts<Overview['by_channel'][number]>('messages', (it) => it.messages),
      ]}
    />
  );
}

/** The suppressed messages by channel and reason. */
export function NotSent({ overview }: Props) {
  const all = overview.suppressed.reduce((sum, it) => sum + it.count, 0);
  return (
    <Section
      title={t('notSent')}
      rows={overview.suppressed.toSorted((a, b) => b.count - a.count)}
      rowKey={(it) => `${it.channel_id} ${it.reason}`}
      columns={[
        { key: 'channel', header: t('channel'), render: (it) => <ChannelName id={it.channel_id} /> },
        {
          key: 'reason',
          header: t('reason'),
          render: (it) => <span title={it.reason}>{why(it.reason)}</span>,
        },
        {
          key: 'share',
          header: t('share'),
          width: 180,
          render: (it) => (
            <span className={classes.share} aria-hidden>
              <span style={{ width: `${(it.count / all) * 100}%` }} />
            </span>
          ),
        },
        { key: 'count', header: t('messages'), align: 'end', render: (it) => number(it.count) },
      ]}
    />
  );
}

export function ByFlow({ overview }: Props) {
  const { data } = useFlowChoices(overview.by_flow.length > 0);
  return (
    <Section
      title={t('byFlow')}
      rows={overview.by_flow}
      rowKey={(it) => it.flow_id}
      columns={[
        {
          key: 'flow',
          header: t('flow'),
          render: ({ flow_id: id }) => (
            <Link to="/flows/$id" params={{ id }} search={{ tab: 'statistics' }}>
              {named(data, id)}
            </Link>
          ),
        },
        ...counts<Overview['by_flow'][number]>('flows', (it) => it.runs),
      ]}
    />
  );
}

export function BySequence({ overview }: Props) {
  const { data } = useSequenceChoices(overview.by_sequence.length > 0);
  return (
    <Section
      title={t('bySequence')}
      rows={overview.by_sequence}
      rowKey={(it) => it.sequence_id}
      columns={[
        {
          key: 'sequence',
          header: t('sequence'),
          render: ({ sequence_id: id }) => (
            <Link to="/sequences/$id" params={{ id }}>
              {named(data, id)}
            </Link>
          ),
        },
        ...counts<Overview['by_sequence'][number]>('sequences', (it) => it.enrollments),
      ]}
    />
  );
}

export function ByBroadcast({ overview }: Props) {
  const { workspace } = useWhere();
  const { data } = useNewestBroadcasts(workspace.id, overview.by_broadcast.length > 0);
  return (
    <Section
      title={t('byBroadcast')}
      rows={overview.by_broadcast}
      rowKey={(it) => it.broadcast_id}
      columns={[
        {
          key: 'broadcast',
          header: t('broadcast'),
          render: ({ broadcast_id: id }) => (
            <Link to="/broadcasts/$id" params={{ id }}>
              {named(data, id)}
            </Link>
          ),
        },
        // A row is one broadcast, so a count of completed broadcasts has no use.
        ...counts<Overview['by_broadcast'][number]>('broadcasts', (it) => it.messages).filter(
          ({ key }) => key !== 'completed',
        ),
      ]}
    />
  );
}

/** The name of an object, or its shortened ID if the name is unknown. */
function named(all: { id: string; name: string }[] | undefined, id: string): string {
  return all?.find((it) => it.id === id)?.name ?? shortened(id);
}

/** The names of the newest broadcasts. Older broadcasts are shown by their IDs. */
function useNewestBroadcasts(ws: string, enabled: boolean) {
  return useQuery({
    queryKey: ['broadcast-names', ws],
    enabled,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const page = await apiIn(ws).GET('/api/v1/broadcasts', { params: { query: { limit: 100 } }, signal });
      return page.data;
    },
  });
}
