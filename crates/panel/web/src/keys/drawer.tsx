import { Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { Details } from '../components/details';
import { GuardedDrawer } from '../components/guarded';
import { Id } from '../components/id';
import { Status } from '../components/status';
import { day } from '../components/time';
import { When } from '../components/when';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { type ApiKey, useRevokeKey } from './api';
import { stateOf } from './life';
import { RotateKey } from './rotate';
import { ScopeBadge } from './scope';

const t = texts('keys');

interface Props {
  /** The key's ID in the address. */
  id: string | undefined;
  apiKey: ApiKey | undefined;
  /** Whether the list is loaded. A key that is not in the list was revoked. */
  ready: boolean;
  /** The number of requests in the last 24 hours. */
  requests: number;
  onClose: () => void;
}

/** A key with its properties, and buttons to rotate and revoke it. */
export function KeyDrawer({ id, apiKey, ready, requests, onClose }: Props) {
  const { workspace } = useWhere();
  const [asking, setAsking] = useState<'rotate' | 'revoke'>();
  const revoke = useRevokeKey(workspace.id);
  const leave = () => setAsking(undefined);
  return (
    <>
      <GuardedDrawer
        opened={id !== undefined && (ready || apiKey !== undefined)}
        onClose={onClose}
        title={apiKey?.name ?? t('key')}
      >
        {apiKey ? (
          <>
            <Facts apiKey={apiKey} requests={requests} />
            <Group mt="lg" gap="xs">
              <Button variant="default" onClick={() => setAsking('rotate')}>
                {t('rotate')}
              </Button>
              <Button variant="outline" color="red.8" onClick={() => setAsking('revoke')} className="danger">
                {t('revoke')}
              </Button>
            </Group>
          </>
        ) : (
          <Text c="dimmed">{t('gone')}</Text>
        )}
      </GuardedDrawer>
      {apiKey && (
        <>
          <RotateKey apiKey={apiKey} opened={asking === 'rotate'} onClose={leave} />
          <Confirm
            title={t('revokeTitle', { name: apiKey.name })}
            verb={t('revokeVerb')}
            opened={asking === 'revoke'}
            pending={revoke.isPending}
            error={revoke.error}
            onClose={leave}
            onConfirm={() =>
              revoke.mutate(apiKey.id, {
                onSuccess: () => {
                  leave();
                  onClose();
                },
              })
            }
          >
            {t('revokeHint')} {t('revokeUse', { count: requests })}
          </Confirm>
        </>
      )}
    </>
  );
}

function Facts({ apiKey, requests }: { apiKey: ApiKey; requests: number }) {
  const { tone, word } = stateOf(apiKey.expires_at, Date.now());
  return (
    <Details
      rows={[
        [
          t('status'),
          <Status key="state" tone={tone}>
            {word}
          </Status>,
        ],
        [t('scope'), <ScopeBadge key="scope" scope={apiKey.scope} />],
        [t('key'), <code key="key">{`${apiKey.prefix}…${apiKey.last_four}`}</code>],
        [
          t('lastUsed'),
          apiKey.last_used_at ? <When key="used" at={apiKey.last_used_at} isRealTime /> : t('unused'),
        ],
        ...(apiKey.last_used_address
          ? ([[t('from'), <code key="from">{apiKey.last_used_address}</code>]] as [string, React.ReactNode][])
          : []),
        [
          t('requests'),
          <Link key="requests" to="/developers/log" search={{ key_id: apiKey.id, last: 'P1D' }}>
            {number(requests)}
          </Link>,
        ],
        [t('expires'), apiKey.expires_at ? day(apiKey.expires_at) : t('never')],
        [t('createdAt'), <When key="made" at={apiKey.created_at} isRealTime />],
        [t('id'), <Id key="id" id={apiKey.id} />],
      ]}
    />
  );
}
