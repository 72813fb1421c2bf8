import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { useSearchState } from '../app/search-state';
import { ConfirmDelete } from '../components/confirm-delete';
import { CopyIcon } from '../components/copy';
import { GuardedDrawer } from '../components/guarded';
import { ResourcePage } from '../components/resource-page';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { type Secret, useDeleteSecret, useSecrets } from './api';
import { SecretForm } from './form';

const t = texts('secrets');

interface Search {
  create?: boolean;
  secret?: string;
}

/** Settings › Secrets. */
export function Secrets() {
  const { workspace, administers } = useWhere();
  const [search, show] = useSearchState<Search>();
  const secrets = useSecrets(workspace.id);
  const rows = secrets.data?.pages.flatMap((page) => page.data) ?? [];
  const close = () => show({ create: undefined, secret: undefined });
  const open = rows.find((it) => it.name === search.secret);
  return (
    <ResourcePage
      title={t('title')}
      description={administers ? t('description') : t('descriptionReadOnly')}
      call={{ path: '/api/v1/secrets' }}
      create={administers && { label: t('create'), onClick: () => show({ create: true, secret: undefined }) }}
      list={secrets}
      columns={columns()}
      rowKey={(it) => it.name}
      openKey={search.secret}
      onOpen={administers ? (it) => show({ secret: it.name }) : undefined}
      empty={{
        title: t('emptyTitle'),
        text: t('emptyText', { example: placeholder('NAME') }),
        call: {
          method: 'PUT',
          path: '/api/v1/secrets/CRM_TOKEN',
          body: { value: '…', hosts: ['api.example.com'] },
        },
      }}
    >
      {administers && (
        <GuardedDrawer
          opened={search.create === true || (search.secret !== undefined && secrets.isSuccess)}
          onClose={close}
          title={search.create ? t('create') : t('replaceTitle', { name: search.secret ?? '' })}
        >
          {search.create ? (
            <SecretForm onDone={close} />
          ) : open ? (
            <One key={`${open.name} ${open.version}`} secret={open} onDone={close} />
          ) : (
            <Text c="dimmed">{t('gone')}</Text>
          )}
        </GuardedDrawer>
      )}
    </ResourcePage>
  );
}

function One({ secret, onDone }: { secret: Secret; onDone: () => void }) {
  const { workspace } = useWhere();
  const [asking, ask] = useState(false);
  const remove = useDeleteSecret(workspace.id);
  return (
    <>
      <SecretForm secret={secret} onDone={onDone} />
      <Button mt="xl" variant="outline" color="red.8" className="danger" onClick={() => ask(true)}>
        {t('delete')}
      </Button>
      <ConfirmDelete
        title={t('deleteTitle', { name: secret.name })}
        verb={t('deleteVerb')}
        opened={asking}
        pending={remove.isPending}
        error={remove.error}
        onClose={() => ask(false)}
        onConfirm={(force) => remove.mutate({ name: secret.name, force }, { onSuccess: onDone })}
      >
        {t('deleteHint')}
      </ConfirmDelete>
    </>
  );
}

const placeholder = (name: string) => `{{ secrets.${name} }}`;

const columns = (): Column<Secret>[] => [
  { key: 'name', header: t('name'), render: (it) => <code className="named">{it.name}</code> },
  { key: 'hosts', header: t('hosts'), render: (it) => it.hosts.join(', ') },
  {
    key: 'used',
    header: t('used'),
    render: (it) => (
      <Group gap={2} wrap="nowrap">
        <code className="dimmed">{placeholder(it.name)}</code>
        <CopyIcon text={placeholder(it.name)} what={placeholder(it.name)} />
      </Group>
    ),
  },
  { key: 'changed', header: t('updated'), render: (it) => <When at={it.updated_at} /> },
];
