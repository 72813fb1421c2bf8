import { Button, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { FoundList } from '../components/found-list';
import { Empty } from '../components/states';
import type { Column } from '../components/table';
import { day } from '../components/time';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { type ApiKey, useKeys, useRevokeKey } from '../keys/api';
import { CreateKey } from '../keys/create';
import { ScopeBadge } from '../keys/scope';
import classes from './sandbox.module.css';

const t = texts('sandbox');

/** The API keys of the sandbox. */
export function TestKeys() {
  const { workspace: sandbox } = useWhere();
  const keys = useKeys(sandbox.id);
  const revoke = useRevokeKey(sandbox.id);
  const [creating, setCreating] = useState(false);
  const [ending, setEnding] = useState<ApiKey>();
  const [asking, setAsking] = useState(false);
  const hasKeys = keys.data?.pages.some((page) => page.data.length > 0);
  const ask = (key: ApiKey) => {
    revoke.reset();
    setEnding(key);
    setAsking(true);
  };
  const create = (
    <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('createKey')}
    </Button>
  );
  return (
    <section className={classes.keys} aria-labelledby="test-keys">
      <div className={classes.head}>
        <div>
          <Title order={2} id="test-keys">
            {t('keys')}
          </Title>
          <p className={classes.hint}>{t('keysHint')}</p>
        </div>
        {hasKeys && create}
      </div>
      <FoundList
        label={t('keys')}
        list={keys}
        columns={columns(ask)}
        rowKey={(key) => key.id}
        empty={
          <Empty
            title={t('keysEmpty')}
            action={create}
            call={{
              method: 'POST',
              path: `/platform/workspaces/${sandbox.id}/api-keys`,
              body: { name: 'my laptop', scope: 'full' },
              credential: '$TIDINGS_TOKEN',
            }}
          >
            {t('keysEmptyHint')}
          </Empty>
        }
      />
      <CreateKey
        verb={t('createKey')}
        usual={{ scope: 'full', life: 'never' }}
        opened={creating}
        onClose={() => setCreating(false)}
      />
      <Confirm
        title={t('revokeTitle', { name: ending?.name ?? '' })}
        verb={t('revokeVerb')}
        opened={asking}
        pending={revoke.isPending}
        error={revoke.error}
        onClose={() => setAsking(false)}
        onConfirm={() => ending && revoke.mutate(ending.id, { onSuccess: () => setAsking(false) })}
      >
        {t('revokeHint')}
      </Confirm>
    </section>
  );
}

function columns(ask: (key: ApiKey) => void): Column<ApiKey>[] {
  return [
    {
      key: 'name',
      header: t('name'),
      render: (key) => <span className={`named ${classes.name}`}>{key.name}</span>,
    },
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
    { key: 'made', header: t('created'), render: (key) => <When at={key.created_at} isRealTime /> },
    {
      key: 'expires',
      header: t('expires'),
      render: (key) => (key.expires_at ? day(key.expires_at) : t('never')),
    },
    {
      key: 'revoke',
      header: '',
      align: 'end',
      render: (key) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('revokeNamed', { name: key.name })}
          onClick={() => ask(key)}
        >
          {t('revoke')}
        </Button>
      ),
    },
  ];
}
