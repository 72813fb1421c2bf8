import { ChannelName } from '../analytics/channel-name';
import { Section } from '../analytics/section';
import { shortened } from '../components/id';
import type { Column } from '../components/table';
import { lasting } from '../flows/statistics';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Durations, Replies } from './api';

const t = texts('reply-times');

interface Props {
  replies: Replies;
}

/** Formats a duration. `null` becomes a dash. */
export const shown = (seconds: number | null) => (seconds === null ? '–' : lasting(seconds));

interface Times {
  first_reply: Durations;
  resolution: Durations;
}

/** The columns for first reply and resolution. */
function times<Row extends Times>(): Column<Row>[] {
  const of = (key: keyof Times): Column<Row>[] => [
    { key, header: t(`columns.${key}.count`), align: 'end', render: (it) => number(it[key].count) },
    {
      key: `${key} median`,
      header: t(`columns.${key}.median`),
      align: 'end',
      render: (it) => shown(it[key].median_seconds),
    },
    {
      key: `${key} p90`,
      header: t(`columns.${key}.p90`),
      align: 'end',
      render: (it) => shown(it[key].p90_seconds),
    },
  ];
  return [...of('first_reply'), ...of('resolution')];
}

export function ByAgent({ replies }: Props) {
  return (
    <Section
      title={t('byAgent')}
      rows={replies.by_agent}
      rowKey={(it) => it.user_id}
      columns={[
        {
          key: 'agent',
          header: t('agent'),
          render: ({ name, user_id: id }) =>
            name ?? (
              <span className="dimmed" title={id}>
                {t('formerMember', { id: shortened(id) })}
              </span>
            ),
        },
        ...times<Replies['by_agent'][number]>(),
      ]}
    />
  );
}

export function ByChannel({ replies }: Props) {
  return (
    <Section
      title={t('byChannel')}
      rows={replies.by_channel}
      rowKey={(it) => it.channel_id}
      columns={[
        { key: 'channel', header: t('channel'), render: (it) => <ChannelName id={it.channel_id} /> },
        ...times<Replies['by_channel'][number]>(),
      ]}
    />
  );
}
