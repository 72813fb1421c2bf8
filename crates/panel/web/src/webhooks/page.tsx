import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useWhere } from '../app/here';
import { Choice } from '../components/choice';
import { FindBox } from '../components/find-box';
import { FoundList } from '../components/found-list';
import { Page } from '../components/page';
import { Empty } from '../components/states';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { en } from '../i18n/en';
import { useFoundWebhooks, type Webhook } from './api';
import { CreateWebhookDrawer } from './create';
import type { ListSearch } from './search';
import { HealthOf, StateOf } from './state';
import classes from './webhooks.module.css';

const words = en.webhooks;

/** Connect › Webhooks. */
export function Webhooks() {
  const { administers } = useWhere();
  if (administers) return <List />;
  return (
    <Page title={words.title}>
      <Empty title={words.forAdmins}>{words.forAdminsHint}</Empty>
    </Page>
  );
}

function List() {
  const { workspace } = useWhere();
  const search = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const webhooks = useFoundWebhooks(workspace.id, { q: search.q, status: search.state });
  const show = useCallback(
    (next: ListSearch) =>
      void navigate({
        to: '.',
        search: ((it: ListSearch) => ({ ...it, ...next })) as never,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  const open = (id: string) => void navigate({ to: '/webhooks/$id', params: { id } });
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => show({ create: true })}>
      {words.create}
    </Button>
  );
  return (
    <Page
      title={words.title}
      description={words.description}
      call={{ path: '/api/v1/webhooks' }}
      action={create}
    >
      <FoundList
        label={words.title}
        list={webhooks}
        columns={COLUMNS}
        onOpen={(it) => open(it.id)}
        filters={
          <>
            <FindBox label={words.filter} value={search.q} onChange={find} />
            <Choice
              label={words.state}
              width={150}
              value={search.state}
              options={Object.entries(words.states).map(([value, label]) => ({ value, label }))}
              onChange={(state) => show({ state: state as ListSearch['state'] })}
            />
          </>
        }
        isFiltered={Boolean(search.q || search.state)}
        noMatch={{
          title: search.q ? words.noneFound : words.noneInState(words.states[search.state ?? 'active']),
          clear: words.showAll,
        }}
        onClear={() => show({ q: undefined, state: undefined })}
        empty={
          <Empty
            title={words.emptyTitle}
            action={create}
            call={{
              method: 'POST',
              path: '/api/v1/webhooks',
              body: { url: 'https://example.com/hooks', events: ['contact.created'] },
            }}
          >
            {words.emptyText}
          </Empty>
        }
      />
      <CreateWebhookDrawer
        opened={search.create === true}
        onClose={() => show({ create: undefined })}
        onOpen={open}
      />
    </Page>
  );
}

const COLUMNS: Column<Webhook>[] = [
  {
    key: 'url',
    header: words.url,
    render: (it) => (
      <span className={classes.url} title={it.url}>
        <span className="named">{it.url}</span>
      </span>
    ),
  },
  { key: 'state', header: words.state, render: (it) => <StateOf webhook={it} /> },
  { key: 'health', header: words.health, render: (it) => <HealthOf stats={it.stats} /> },
  {
    key: 'kinds',
    header: words.kinds,
    render: (it) => <span title={it.events.join(', ')}>{words.kindsOf(it.events)}</span>,
  },
  {
    key: 'about',
    header: words.about,
    render: (it) => (
      <span className="one-line" title={it.description ?? undefined}>
        {it.description ?? ''}
      </span>
    ),
  },
  {
    key: 'taken',
    header: words.lastTaken,
    render: (it) =>
      it.last_delivery_at ? (
        <When at={it.last_delivery_at} />
      ) : (
        <span className="dimmed">{en.common.never}</span>
      ),
  },
];
