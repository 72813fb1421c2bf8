import { Button, Title } from '@mantine/core';
import { useState } from 'react';
import { session } from '../app/session';
import { Confirm } from '../components/confirm';
import { Loaded } from '../components/loaded';
import { Status } from '../components/status';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { type LiveSession, useEndSession, useSessions } from './api';
import { deviceOf } from './device';
import classes from './settings.module.css';

const t = texts('settings');

export function Sessions() {
  const sessions = useSessions();
  const end = useEndSession();
  const [ending, setEnding] = useState<LiveSession>();
  const [asking, setAsking] = useState(false);
  const [ended, setEnded] = useState('');
  const device = deviceOf(ending?.user_agent);
  const ask = (it: LiveSession) => {
    end.reset();
    setEnding(it);
    setAsking(true);
  };
  return (
    <section className={classes.section} aria-labelledby="sessions">
      <Title order={2} id="sessions">
        {t('profile.sessions')}
      </Title>
      <p className={classes.hint}>{t('profile.sessionsHint')}</p>
      <Loaded asked={sessions} lines={3}>
        {(data) => (
          <DataTable
            label={t('profile.sessions')}
            columns={columns(ask)}
            rows={data}
            rowKey={(it) => it.id}
          />
        )}
      </Loaded>
      <div role="status" className={classes.saved}>
        {ended}
      </div>
      <Confirm
        title={t('profile.endTitle')}
        verb={t('profile.endVerb')}
        opened={asking}
        pending={end.isPending}
        error={end.error}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          ending &&
          end.mutate(ending.id, {
            onSuccess: () => {
              setAsking(false);
              setEnded(t('profile.ended', { device }));
            },
          })
        }
      >
        {t('profile.endHint', { device })}
      </Confirm>
    </section>
  );
}

function columns(ask: (session: LiveSession) => void): Column<LiveSession>[] {
  return [
    {
      key: 'device',
      header: t('profile.device'),
      render: (it) => (
        <span className={classes.device} title={it.user_agent ?? undefined}>
          <span className="named">{deviceOf(it.user_agent)}</span>
          {it.current && <Status tone="ok">{t('profile.thisOne')}</Status>}
        </span>
      ),
    },
    {
      key: 'network',
      header: t('profile.network'),
      render: (it) => <code className="dimmed">{it.network}</code>,
    },
    { key: 'began', header: t('profile.began'), render: (it) => <When at={it.created_at} isRealTime /> },
    { key: 'used', header: t('lastUsed'), render: (it) => <When at={it.last_used_at} isRealTime /> },
    {
      key: 'ends',
      header: t('expires'),
      render: (it) => <When at={it.expires_at} canBeFuture isRealTime />,
    },
    {
      key: 'end',
      header: '',
      align: 'end',
      render: (it) =>
        it.current ? (
          <Button size="compact-sm" variant="default" onClick={() => void session.signOut()}>
            {t('profile.signOut')}
          </Button>
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('profile.endLabel', { device: deviceOf(it.user_agent) })}
            onClick={() => ask(it)}
          >
            {t('profile.end')}
          </Button>
        ),
    },
  ];
}
