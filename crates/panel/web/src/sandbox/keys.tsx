import { Button, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { Empty, Failure, Waiting } from '../components/states';
import { type Column, DataTable } from '../components/table';
import { day } from '../components/time';
import { When } from '../components/when';
import { en } from '../i18n/en';
import { type ApiKey, useKeys, useRevokeKey } from '../keys/api';
import { CreateKey } from '../keys/create';
import { ScopeBadge } from '../keys/scope';
import classes from './sandbox.module.css';

const words = en.sandbox;

/** The keys that open the sandbox. */
export function TestKeys() {
  const { workspace: sandbox } = useWhere();
  const keys = useKeys(sandbox.id);
  const revoke = useRevokeKey(sandbox.id);
  const [creating, setCreating] = useState(false);
  const [ending, setEnding] = useState<ApiKey>();
  const [asking, setAsking] = useState(false);
  const rows = keys.data?.pages.flatMap((page) => page.data) ?? [];
  const ask = (key: ApiKey) => {
    revoke.reset();
    setEnding(key);
    setAsking(true);
  };
  const create = (
    <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {words.createKey}
    </Button>
  );
  return (
    <section className={classes.keys} aria-labelledby="test-keys">
      <div className={classes.head}>
        <div>
          <Title order={2} id="test-keys">
            {words.keys}
          </Title>
          <p className={classes.hint}>{words.keysHint}</p>
        </div>
        {rows.length > 0 && create}
      </div>
      {keys.error && rows.length === 0 ? (
        <Failure error={keys.error} retry={() => void keys.refetch()} />
      ) : keys.isPending ? (
        <Waiting lines={3} />
      ) : rows.length === 0 ? (
        <Empty
          title={words.keysEmpty}
          action={create}
          call={{
            method: 'POST',
            path: `/platform/workspaces/${sandbox.id}/api-keys`,
            body: { name: 'my laptop', scope: 'full' },
            credential: '$TIDINGS_TOKEN',
          }}
        >
          {words.keysEmptyHint}
        </Empty>
      ) : (
        <DataTable
          label={words.keys}
          columns={columns(ask)}
          rows={rows}
          rowKey={(key) => key.id}
          more={keys.hasNextPage ? () => void keys.fetchNextPage() : undefined}
          loadingMore={keys.isFetchingNextPage}
        />
      )}
      <CreateKey
        verb={words.createKey}
        usual={{ scope: 'full', life: 'never' }}
        opened={creating}
        onClose={() => setCreating(false)}
      />
      <Confirm
        title={words.revokeTitle(ending?.name ?? '')}
        verb={words.revokeVerb}
        opened={asking}
        pending={revoke.isPending}
        error={revoke.error}
        onClose={() => setAsking(false)}
        onConfirm={() => ending && revoke.mutate(ending.id, { onSuccess: () => setAsking(false) })}
      >
        {words.revokeHint}
      </Confirm>
    </section>
  );
}

function columns(ask: (key: ApiKey) => void): Column<ApiKey>[] {
  return [
    {
      key: 'name',
      header: words.name,
      render: (key) => <span className={`named ${classes.name}`}>{key.name}</span>,
    },
    { key: 'scope', header: words.scope, render: (key) => <ScopeBadge scope={key.scope} /> },
    { key: 'key', header: words.key, render: (key) => <code>{`${key.prefix}…${key.last_four}`}</code> },
    {
      key: 'used',
      header: words.lastUsed,
      render: (key) =>
        key.last_used_at ? (
          <When at={key.last_used_at} isRealTime />
        ) : (
          <span className="dimmed">{words.unused}</span>
        ),
    },
    { key: 'made', header: words.made, render: (key) => <When at={key.created_at} isRealTime /> },
    {
      key: 'expires',
      header: words.expires,
      render: (key) => (key.expires_at ? day(key.expires_at) : en.common.never),
    },
    {
      key: 'revoke',
      header: '',
      align: 'end',
      render: (key) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${words.revoke} ${key.name}`}
          onClick={() => ask(key)}
        >
          {words.revoke}
        </Button>
      ),
    },
  ];
}
