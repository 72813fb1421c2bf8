import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { texts } from '../i18n/texts';
import { useAct, type Webhook } from './api';
import { ReplayRange } from './replay-range';
import { RotateSecret } from './rotate';
import type { WebhookSearch } from './search';
import { TestWebhook } from './test-webhook';

const t = texts('webhooks');

interface Props {
  webhook: Webhook;
  search: WebhookSearch;
  show: (next: WebhookSearch) => void;
}

/** The actions on a webhook. The open dialog is stored in the address. */
export function WebhookActions({ webhook, search, show }: Props) {
  const { workspace } = useWhere();
  const navigate = useNavigate();
  const act = useAct(workspace.id, webhook.id);
  const ask = (what: WebhookSearch['do']) => show({ do: what });
  const leave = () => ask(undefined);
  return (
    <>
      <Button onClick={() => ask('test')}>{t('test')}</Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('more')}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {webhook.status === 'active' ? (
            <Menu.Item onClick={() => act.mutate('pause')}>{t('pause')}</Menu.Item>
          ) : (
            <Menu.Item onClick={() => act.mutate('enable')}>{t('enable')}</Menu.Item>
          )}
          <Menu.Item onClick={() => ask('replay')}>{t('replayPeriod')}</Menu.Item>
          <Menu.Item onClick={() => ask('rotate')}>{t('rotate')}</Menu.Item>
          <Menu.Divider />
          <Menu.Item color="var(--bad)" onClick={() => ask('delete')}>
            {t('delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <TestWebhook webhook={webhook} opened={search.do === 'test'} onClose={leave} />
      <RotateSecret webhook={webhook} opened={search.do === 'rotate'} onClose={leave} />
      <ReplayRange webhook={webhook} opened={search.do === 'replay'} onClose={leave} />
      <Confirm
        title={t('deleteTitle')}
        verb={t('deleteVerb')}
        opened={search.do === 'delete'}
        pending={act.isPending}
        error={act.error}
        onClose={leave}
        onConfirm={() =>
          act.mutate('delete', { onSuccess: () => void navigate({ to: '/webhooks', replace: true }) })
        }
      >
        {t('deleteHint', { url: webhook.url })}
      </Confirm>
    </>
  );
}
