import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useWhere, WhereContext } from '../app/here';
import type { Workspace } from '../app/places';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { texts } from '../i18n/texts';
import { useSandboxChannel } from './api';
import { ClockBar } from './clock';
import { TestKeys } from './keys';
import { MakeSandbox } from './make';
import { Outbox } from './outbox';
import { Play } from './play';
import classes from './sandbox.module.css';

const t = texts('sandbox');
const navigation = texts('navigation');

/** Developers › Sandbox. It always shows the sandbox of the workspace, also when live data is selected. */
export function Sandbox() {
  const { live, sandbox, administers } = useWhere();
  if (!administers) {
    return (
      <Page title={t('sandbox')}>
        <Empty title={t('forAdmins')}>{t('forAdminsHint')}</Empty>
      </Page>
    );
  }
  if (!sandbox) {
    return (
      <Page
        title={t('sandbox')}
        call={{
          method: 'POST',
          path: `/platform/workspaces/${live.id}/sandbox`,
          credential: '$TIDINGS_TOKEN',
        }}
      >
        <MakeSandbox />
      </Page>
    );
  }
  return (
    <Page
      title={t('sandbox')}
      description={t('description', { name: live.name })}
      call={{
        method: 'POST',
        path: `/platform/workspaces/${live.id}/sandbox/inbound`,
        body: { contact: 'ada', text: 'hi' },
        credential: '$TIDINGS_TOKEN',
      }}
    >
      <Inside sandbox={sandbox} />
    </Page>
  );
}

function Inside({ sandbox }: { sandbox: Workspace }) {
  const where = useWhere();
  // Dialogs and links on this page belong to the sandbox, also when live data is selected.
  const inside = useMemo(() => ({ ...where, workspace: sandbox, inSandbox: true }), [where, sandbox]);
  const channel = useSandboxChannel(sandbox.id);
  return (
    <WhereContext value={inside}>
      <ClockBar />
      {channel.error ? (
        <Failure error={channel.error} retry={() => void channel.refetch()} />
      ) : channel.isPending ? (
        <Waiting />
      ) : channel.data === null ? (
        <Empty
          title={t('noChannel')}
          action={
            <Button
              renderRoot={(props) => (
                <Link to="/channels" search={{ create: true, ws: sandbox.id }} {...props} />
              )}
            >
              {navigation('actions.createChannel')}
            </Button>
          }
        >
          {t('noChannelHint')}
        </Empty>
      ) : (
        <div className={classes.room} key={sandbox.id}>
          <Play channel={channel.data.id} />
          <Outbox channel={channel.data.id} />
        </div>
      )}
      <TestKeys />
    </WhereContext>
  );
}
