import { Tabs } from '@mantine/core';
import { useWhere } from '../app/here';
import { useObjectId, useSearchState } from '../app/search-state';
import { adminPage } from '../components/admin-page';
import { Id } from '../components/id';
import { Page } from '../components/page';
import { Failure, Waiting } from '../components/states';
import { texts } from '../i18n/texts';
import { WebhookActions } from './actions';
import { type Tagged, useWebhook } from './api';
import { Banner } from './banner';
import { Deliveries } from './deliveries-tab';
import type { WebhookSearch } from './search';
import { SettingsTab } from './settings-tab';
import { StateOf } from './state';
import { StatsTab } from './stats-tab';
import { Snippets } from './verify/snippets';
import classes from './webhooks.module.css';

const t = texts('webhooks');

/** Connect › Webhooks › the webhook in the address. */
export const WebhookPage = adminPage(t, InAddress);

function InAddress() {
  const { workspace } = useWhere();
  const id = useObjectId();
  return <One key={`${workspace.id} ${id}`} ws={workspace.id} id={id} />;
}

function One({ ws, id }: { ws: string; id: string }) {
  const asked = useWebhook(ws, id);
  const [search, show] = useSearchState<WebhookSearch>();
  if (!asked.data) {
    return (
      <Page title={t('title')}>
        {asked.error ? <Failure error={asked.error} retry={() => void asked.refetch()} /> : <Waiting />}
      </Page>
    );
  }
  const { webhook } = asked.data;
  return (
    <Page
      title={webhook.url.replace(/^https?:\/\//, '')}
      description={webhook.description ?? undefined}
      beside={
        <>
          <StateOf webhook={webhook} />
          <Id id={id} />
        </>
      }
      call={{ path: `/api/v1/webhooks/${id}` }}
      action={<WebhookActions webhook={webhook} search={search} show={show} />}
    >
      <Banner webhook={webhook} />
      <Parts tagged={asked.data} search={search} show={show} />
    </Page>
  );
}

interface PartsProps {
  tagged: Tagged;
  search: WebhookSearch;
  show: (next: WebhookSearch) => void;
}

function Parts({ tagged, search, show }: PartsProps) {
  const { webhook } = tagged;
  return (
    <Tabs
      value={search.tab ?? 'deliveries'}
      keepMounted={false}
      onChange={(tab) =>
        show({ tab: tab === 'deliveries' ? undefined : (tab as WebhookSearch['tab']), delivery: undefined })
      }
    >
      <Tabs.List aria-label={t('tabs')}>
        <Tabs.Tab value="deliveries">{t('deliveries')}</Tabs.Tab>
        <Tabs.Tab value="settings">{t('settings')}</Tabs.Tab>
        <Tabs.Tab value="stats">{t('stats')}</Tabs.Tab>
        <Tabs.Tab value="verify">{t('verify')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="deliveries">
        <Deliveries webhook={webhook} search={search} show={show} />
      </Tabs.Panel>
      <Tabs.Panel value="settings" className={classes.tab}>
        <SettingsTab tagged={tagged} />
      </Tabs.Panel>
      <Tabs.Panel value="stats" className={classes.tab}>
        <StatsTab webhook={webhook} />
      </Tabs.Panel>
      <Tabs.Panel value="verify" className={classes.tab}>
        <div className={classes.snippets}>
          <Snippets hint={webhook.secret_hint} />
        </div>
      </Tabs.Panel>
    </Tabs>
  );
}
