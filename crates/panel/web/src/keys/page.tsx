import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { useSearchState } from '../app/search-state';
import { adminPage } from '../components/admin-page';
import { Named } from '../components/named';
import { ResourcePage } from '../components/resource-page';
import { Status } from '../components/status';
import type { Column } from '../components/table';
import { day } from '../components/time';
import { When } from '../components/when';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { type ApiKey, useKeys, useMe, useUseOfKeys } from './api';
import { CreateKey } from './create';
import { KeyDrawer } from './drawer';
import { stateOf } from './life';
import { ScopeBadge } from './scope';

const t = texts('keys');

/** Settings › API keys. */
export const ApiKeys = adminPage(t, Keys);

function Keys() {
  const { workspace } = useWhere();
  const [search, set] = useSearchState<{ create?: boolean; key?: string }>();
  const keys = useKeys(workspace.id);
  const use = useUseOfKeys(workspace.id);
  const me = useMe(workspace.id);
  const rows = keys.data?.pages.flatMap((page) => page.data) ?? [];
  const show = (next: { create?: boolean; key?: string }) =>
    set({ create: undefined, key: undefined, ...next });

  return (
    <ResourcePage
      title={t('title')}
      description={
        me.data
          ? t('descriptionLimit', { limit: me.data.requests_per_minute, plan: workspace.plan })
          : t('description')
      }
      call={{ path: `/platform/workspaces/${workspace.id}/api-keys`, credential: '$TIDINGS_TOKEN' }}
      create={{ label: t('create'), onClick: () => show({ create: true }) }}
      list={keys}
      columns={columns(use.data)}
      rowKey={(key) => key.id}
      openKey={search.key}
      onOpen={(key) => show({ key: key.id })}
      empty={{
        title: t('emptyTitle'),
        text: t('emptyText'),
        call: {
          method: 'POST',
          path: `/platform/workspaces/${workspace.id}/api-keys`,
          body: { name: 'backend', scope: 'write' },
          credential: '$TIDINGS_TOKEN',
        },
      }}
    >
      <CreateKey opened={search.create === true} onClose={() => show({})} />
      <KeyDrawer
        id={search.key}
        apiKey={rows.find((key) => key.id === search.key)}
        ready={keys.isSuccess}
        requests={use.data?.get(search.key ?? '') ?? 0}
        onClose={() => show({})}
      />
    </ResourcePage>
  );
}

function columns(use: Map<string, number> | undefined): Column<ApiKey>[] {
  return [
    { key: 'name', header: t('name'), render: (key) => <Named text={key.name} /> },
    { key: 'scope', header: t('scope'), render: (key) => <ScopeBadge scope={key.scope} /> },
    { key: 'key', header: t('key'), render: (key) => <code>{`${key.prefix}…${key.last_four}`}</code> },
    {
      key: 'used',
      header: t('lastUsed'),
      render: (key) =>
        key.last_used_at ? (
          <When at={key.last_used_at} isRealTime />
        ) : (
          <span className="dimmed">{t('unused')}</span>
        ),
    },
    {
      key: 'from',
      header: t('from'),
      render: (key) =>
        key.last_used_address ? <code className="dimmed">{key.last_used_address}</code> : null,
    },
    {
      key: 'requests',
      header: t('requests'),
      align: 'end',
      render: (key) => <Requests of={key.id} use={use} />,
    },
    {
      key: 'expires',
      header: t('expires'),
      render: (key) => (key.expires_at ? day(key.expires_at) : t('never')),
    },
    {
      key: 'state',
      header: t('status'),
      render: (key) => {
        const { tone, word } = stateOf(key.expires_at, Date.now());
        return <Status tone={tone}>{word}</Status>;
      },
    },
  ];
}

/** The number of requests with a key, as a link to these requests. */
function Requests({ of, use }: { of: string; use: Map<string, number> | undefined }) {
  if (!use) return null;
  const count = use.get(of) ?? 0;
  if (count === 0) return <span className="dimmed">0</span>;
  return (
    <Link to="/developers/log" search={{ key_id: of, last: 'P1D' }} aria-label={t('requestsHint', { count })}>
      {number(count)}
    </Link>
  );
}
