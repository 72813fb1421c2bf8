import { useNavigate } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { useStatusList } from '../app/use-status-list';
import { Named } from '../components/named';
import { ResourcePage } from '../components/resource-page';
import { Status } from '../components/status';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { useBroadcasts } from './api';
import { CreateBroadcast } from './create';
import { type Broadcast, type BroadcastStatus, percentOf, SUBSCRIBED, TONES } from './draft';

const t = texts('broadcasts');

const STATUSES = Object.keys(TONES) as BroadcastStatus[];

/** Automation › Broadcasts. */
export function Broadcasts() {
  const { workspace } = useWhere();
  const navigate = useNavigate();
  const { filter, page, creation } = useStatusList({
    statuses: STATUSES,
    nameOf: (it) => t(`statuses.${it}`),
    words: t,
    clear: t('showAll'),
  });
  const list = useBroadcasts(workspace.id, filter);
  return (
    <ResourcePage
      {...page}
      title={t('title')}
      call={{ path: '/api/v1/broadcasts' }}
      rowKey={(it) => it.id}
      list={list}
      columns={columns()}
      onOpen={(it) => void navigate({ to: '/broadcasts/$id', params: { id: it.id } })}
      count={(count) => t('count', { count })}
      empty={{
        title: t('emptyTitle'),
        text: t('emptyText'),
        call: {
          method: 'POST',
          path: '/api/v1/broadcasts',
          body: {
            name: t('namePlaceholder'),
            audience: SUBSCRIBED,
            message: { type: 'text', text: 'We open at nine.' },
          },
        },
      }}
    >
      {creation && <CreateBroadcast {...creation} />}
    </ResourcePage>
  );
}

const figure = (key: keyof Broadcast['stats']): Column<Broadcast> => ({
  key,
  header: t(`stats.${key}`),
  align: 'end',
  render: ({ stats, started_at: began }) =>
    began ? (
      number(stats[key])
    ) : (
      <span className="dimmed" data-none>
        –
      </span>
    ),
});

const columns = (): Column<Broadcast>[] => [
  { key: 'name', header: t('name'), render: (it) => <Named text={it.name} /> },
  {
    key: 'state',
    header: t('status'),
    render: (it) => (
      <Status tone={TONES[it.status]}>
        {it.status === 'sending'
          ? t('sendingShare', { share: number(percentOf(it.stats) / 100, { style: 'percent' }) })
          : t(`statuses.${it.status}`)}
      </Status>
    ),
  },
  { key: 'when', header: t('when'), render: (it) => <Moment of={it} /> },
  figure('targeted'),
  figure('sent'),
  figure('delivered'),
  figure('read'),
  figure('failed'),
  figure('suppressed'),
];

/** The time of the end, the start or the scheduled start. */
function Moment({ of }: { of: Broadcast }) {
  const began = of.ended_at ?? of.started_at;
  if (began) return <When at={began} />;
  return of.scheduled_at ? (
    <When at={of.scheduled_at} canBeFuture />
  ) : (
    <span className="dimmed">{t('immediately')}</span>
  );
}
