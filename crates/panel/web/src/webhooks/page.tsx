import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useWhere } from '../app/here';
import { useSearchState } from '../app/search-state';
import { adminPage } from '../components/admin-page';
import { Choice } from '../components/choice';
import { FindBox } from '../components/find-box';
import { ResourcePage } from '../components/resource-page';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { useFoundWebhooks, type Webhook } from './api';
import { CreateWebhookDrawer } from './create';
import { ALL } from './kinds';
import type { ListSearch } from './search';
import { HealthOf, StateOf } from './state';
import classes from './webhooks.module.css';

const t = texts('webhooks');
const STATUSES = ['active', 'paused', 'disabled'] as const;

/** Connect › Webhooks. */
export const Webhooks = adminPage(t, List);

function List() {
  const { workspace } = useWhere();
  const [search, show] = useSearchState<ListSearch>();
  const navigate = useNavigate();
  const webhooks = useFoundWebhooks(workspace.id, { q: search.q, status: search.state });
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  const open = (id: string) => void navigate({ to: '/webhooks/$id', params: { id } });
  return (
    <ResourcePage
      title={t('title')}
      description={t('description')}
      call={{ path: '/api/v1/webhooks' }}
      create={{ label: t('create'), onClick: () => show({ create: true }) }}
      rowKey={(it) => it.id}
      list={webhooks}
      columns={columns()}
      onOpen={(it) => open(it.id)}
      filters={
        <>
          <FindBox label={t('filter')} value={search.q} onChange={find} />
          <Choice
            label={t('status')}
            width={150}
            value={search.state}
            options={STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
            onChange={(state) => show({ state: state as ListSearch['state'] })}
          />
        </>
      }
      isFiltered={Boolean(search.q || search.state)}
      noMatch={{
        title: search.q
          ? t('noneFound')
          : t('noneWithStatus', { status: t(`statuses.${search.state ?? 'active'}`) }),
        clear: t('showAll'),
      }}
      onClear={() => show({ q: undefined, state: undefined })}
      empty={{
        title: t('emptyTitle'),
        text: t('emptyText'),
        call: {
          method: 'POST',
          path: '/api/v1/webhooks',
          body: { url: 'https://example.com/hooks', events: ['contact.created'] },
        },
      }}
    >
      <CreateWebhookDrawer
        opened={search.create === true}
        onClose={() => show({ create: undefined })}
        onOpen={open}
      />
    </ResourcePage>
  );
}

function typesOf(events: string[]): string {
  return events.includes(ALL) ? t('allTypes') : t('typeCount', { count: events.length });
}

const columns = (): Column<Webhook>[] => [
  {
    key: 'url',
    header: t('url'),
    render: (it) => (
      <span className={classes.url} title={it.url}>
        <span className="named">{it.url}</span>
      </span>
    ),
  },
  { key: 'state', header: t('status'), render: (it) => <StateOf webhook={it} /> },
  { key: 'health', header: t('health'), render: (it) => <HealthOf stats={it.stats} /> },
  {
    key: 'kinds',
    header: t('events'),
    render: (it) => <span title={it.events.join(', ')}>{typesOf(it.events)}</span>,
  },
  {
    key: 'about',
    header: t('about'),
    render: (it) => (
      <span className={`one-line ${classes.about}`} title={it.description ?? undefined}>
        {it.description ?? ''}
      </span>
    ),
  },
  {
    key: 'taken',
    header: t('lastSuccess'),
    render: (it) =>
      it.last_delivery_at ? <When at={it.last_delivery_at} /> : <span className="dimmed">{t('never')}</span>,
  },
];
