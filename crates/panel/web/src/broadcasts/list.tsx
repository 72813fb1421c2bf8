import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useSearchState } from '../app/search-state';
import type { ListSearch } from '../app/shell-route';
import { Choice } from '../components/choice';
import { FindBox } from '../components/find-box';
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
  const { workspace, role } = useWhere();
  const [search, show] = useSearchState<ListSearch>();
  const navigate = useNavigate();
  const status = STATUSES.find((it) => it === search.status);
  const list = useBroadcasts(workspace.id, { q: search.q, status });
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  return (
    <ResourcePage
      title={t('title')}
      description={t('description')}
      call={{ path: '/api/v1/broadcasts' }}
      create={mayWrite(role) && { label: t('create'), onClick: () => show({ create: true }) }}
      rowKey={(it) => it.id}
      list={list}
      columns={columns()}
      onOpen={(it) => void navigate({ to: '/broadcasts/$id', params: { id: it.id } })}
      filters={
        <>
          <FindBox label={t('filter')} value={search.q} onChange={find} />
          <Choice
            label={t('status')}
            width={150}
            value={status}
            options={STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
            onChange={(next) => show({ status: next })}
          />
        </>
      }
      isFiltered={Boolean(search.q || status)}
      noMatch={{ title: t('noMatch'), hint: t('noMatchHint'), clear: t('showAll') }}
      onClear={() => show({ q: undefined, status: undefined })}
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
      {mayWrite(role) && (
        <CreateBroadcast opened={search.create === true} onClose={() => show({ create: undefined })} />
      )}
    </ResourcePage>
  );
}

const figure = (key: keyof Broadcast['stats']): Column<Broadcast> => ({
  key,
  header: t(`stats.${key}`),
  align: 'end',
  render: ({ stats, started_at: began }) => (began ? number(stats[key]) : <span className="dimmed">–</span>),
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
