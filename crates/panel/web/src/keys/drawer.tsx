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
import { en } from '../i18n/en';
import { type ApiKey, useRevokeKey } from './api';
import { stateOf } from './life';
import { RotateKey } from './rotate';
import { ScopeBadge } from './scope';

const words = en.keys;

interface Props {
  /** The key that the address names. */
  id: string | undefined;
  /** The same, once it is loaded. */
  apiKey: ApiKey | undefined;
  /** Whether the list is there: a key that it lacks is gone. */
  ready: boolean;
  /** How many requests it made in 24 hours. */
  requests: number;
  onClose: () => void;
}

/** One key: what is known of it, and how it ends. */
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
        title={apiKey?.name ?? words.key}
        closeButtonProps={{ 'aria-label': en.common.close }}
      >
        {apiKey ? (
          <>
            <Facts apiKey={apiKey} requests={requests} />
            <Group mt="lg" gap="xs">
              <Button variant="default" onClick={() => setAsking('rotate')}>
                {words.rotate}
              </Button>
              <Button variant="outline" color="red.8" onClick={() => setAsking('revoke')} className="danger">
                {words.revoke}
              </Button>
            </Group>
          </>
        ) : (
          <Text c="dimmed">{words.gone}</Text>
        )}
      </GuardedDrawer>
      {apiKey && (
        <>
          <RotateKey apiKey={apiKey} opened={asking === 'rotate'} onClose={leave} />
          <Confirm
            title={words.revokeTitle(apiKey.name)}
            verb={words.revokeVerb}
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
            {words.revokeReach} {words.revokeUse(requests)}
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
          words.state,
          <Status key="state" tone={tone}>
            {word}
          </Status>,
        ],
        [words.scope, <ScopeBadge key="scope" scope={apiKey.scope} />],
        [words.key, <code key="key">{`${apiKey.prefix}…${apiKey.last_four}`}</code>],
        [
          words.lastUsed,
          apiKey.last_used_at ? <When key="used" at={apiKey.last_used_at} isRealTime /> : words.unused,
        ],
        ...(apiKey.last_used_address
          ? ([[words.from, <code key="from">{apiKey.last_used_address}</code>]] as [
              string,
              React.ReactNode,
            ][])
          : []),
        [
          words.requests,
          <Link key="requests" to="/developers/log" search={{ key_id: apiKey.id, last: 'P1D' }}>
            {requests.toLocaleString('en')}
          </Link>,
        ],
        [words.expires, apiKey.expires_at ? day(apiKey.expires_at) : en.common.never],
        [words.createdAt, <When key="made" at={apiKey.created_at} isRealTime />],
        [words.id, <Id key="id" id={apiKey.id} />],
      ]}
    />
  );
}
