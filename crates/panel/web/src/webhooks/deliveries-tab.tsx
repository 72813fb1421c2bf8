import { Button } from '@mantine/core';
import { useWhere } from '../app/here';
import { Choice } from '../components/choice';
import { useNow } from '../components/clock';
import { FilterFold } from '../components/filter-fold';
import { FoundList } from '../components/found-list';
import { SideDrawer, stepIn } from '../components/side-drawer';
import { Empty } from '../components/states';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { useEventTypes } from '../events/api';
import { texts } from '../i18n/texts';
import type { Webhook } from './api';
import { type Delivery, type Filters, useDeliveries } from './deliveries';
import { DeliveryDetails } from './delivery-details';
import { ALL } from './kinds';
import { beginOf } from './range';
import type { WebhookSearch } from './search';
import { Answer, DeliveryState } from './state';
import classes from './webhooks.module.css';

const t = texts('webhooks');
const STATUSES = ['pending', 'succeeded', 'failed'] as const;
const SPANS = ['PT1H', 'P1D', 'P7D', 'P30D'] as const;

interface Props {
  webhook: Webhook;
  search: WebhookSearch;
  show: (next: WebhookSearch) => void;
}

/** The deliveries to a webhook, including pending ones. */
export function Deliveries({ webhook, search, show }: Props) {
  const { workspace } = useWhere();
  const { status, kind, last } = search;
  const now = useNow();
  const filters = (): Filters => ({
    ...(status ? { status } : {}),
    ...(kind ? { event_type: kind } : {}),
    ...(last ? { since: beginOf(last, now) } : {}),
  });
  const asked = useDeliveries(workspace.id, webhook.id, filters, [status, kind, last]);
  const rows = asked.data?.pages.flatMap((it) => it.data) ?? [];
  const filtered = Boolean(status || kind || last);
  const ids = rows.map((it) => it.id);
  return (
    <>
      <DeliveryFilters webhook={webhook} search={search} show={show} />
      <FoundList
        list={asked}
        label={t('deliveries')}
        columns={columns()}
        rowKey={(it) => it.id}
        openKey={search.delivery}
        onOpen={(it) => show({ delivery: it.id })}
        isFiltered={filtered}
        noMatch={{ title: t('noMatch'), hint: t('noMatchHint'), clear: t('clear') }}
        onClear={() => show({ status: undefined, kind: undefined, last: undefined })}
        empty={
          <Empty
            title={t('noDeliveries')}
            action={<Button onClick={() => show({ do: 'test' })}>{t('test')}</Button>}
            call={{ path: `/api/v1/webhooks/${webhook.id}/test`, method: 'POST', body: {} }}
          >
            {t('noDeliveriesHint')}
          </Empty>
        }
      />
      <SideDrawer
        label={t('delivery')}
        id={search.delivery}
        step={stepIn(ids, search.delivery, (delivery) => show({ delivery }))}
        onClose={() => show({ delivery: undefined })}
      >
        {search.delivery && <DeliveryDetails key={search.delivery} webhook={webhook} id={search.delivery} />}
      </SideDrawer>
    </>
  );
}

function DeliveryFilters({ webhook, search, show }: Props) {
  const { workspace } = useWhere();
  const types = useEventTypes(workspace.id);
  const kinds = webhook.events.includes(ALL) ? (types.data ?? []).map((it) => it.type) : webhook.events;
  const known = search.kind && !kinds.includes(search.kind) ? [search.kind, ...kinds] : kinds;
  return (
    <div className={classes.filters}>
      <FilterFold set={[search.status, search.kind, search.last]}>
        <Choice
          label={t('status')}
          width={150}
          value={search.status}
          options={STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
          onChange={(it) => show({ status: it as WebhookSearch['status'] })}
        />
        <Choice
          label={t('eventType')}
          width={150}
          value={search.kind}
          options={known.map((value) => ({ value, label: value }))}
          onChange={(kind) => show({ kind })}
        />
        <Choice
          label={t('time')}
          width={150}
          value={search.last}
          options={SPANS.map((value) => ({ value, label: t(`spans.${value}`) }))}
          onChange={(it) => show({ last: it as WebhookSearch['last'] })}
        />
      </FilterFold>
    </div>
  );
}

const columns = (): Column<Delivery>[] => [
  { key: 'made', header: t('created'), render: (it) => <When at={it.created_at} /> },
  { key: 'kind', header: t('eventType'), isMain: true, render: (it) => <code>{it.event_type}</code> },
  { key: 'status', header: t('status'), render: (it) => <DeliveryState delivery={it} /> },
  {
    key: 'answer',
    header: t('response'),
    render: (it) => <Answer status={it.last_status} tried={it.attempt_count > 0} />,
  },
  { key: 'attempts', header: t('attempts'), align: 'end', render: (it) => it.attempt_count },
];
