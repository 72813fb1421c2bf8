import { Button, Title } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { Status } from '../components/status';
import { texts } from '../i18n/texts';
import { useSetOutbound } from './api';
import type { Workspace } from './draft';
import classes from './settings.module.css';

const t = texts('settings');

/** Shows whether outbound sending is paused. Admins can pause and resume it. */
export function Outbound({ workspace }: { workspace: Workspace }) {
  const { administers } = useWhere();
  const [asking, ask] = useState(false);
  const set = useSetOutbound(workspace.id);
  const held = workspace.outbound === 'hold';
  const leave = () => {
    ask(false);
    set.reset();
  };
  return (
    <section className={classes.section} aria-labelledby="outbound">
      <Title order={2} id="outbound">
        {t('workspace.outbound')}
      </Title>
      <div role="status">
        <Status tone={held ? 'wait' : 'ok'}>{held ? t('workspace.held') : t('active')}</Status>
        <p className={classes.hint}>{held ? t('workspace.outboundHold') : t('workspace.outboundSend')}</p>
      </div>
      {administers && (
        <Button variant="default" onClick={() => ask(true)}>
          {held ? t('workspace.resume') : t('workspace.hold')}
        </Button>
      )}
      <Confirm
        title={held ? t('workspace.resumeTitle') : t('workspace.holdTitle')}
        verb={held ? t('workspace.resume') : t('workspace.hold')}
        opened={asking}
        pending={set.isPending}
        error={set.error}
        onClose={leave}
        onConfirm={() => set.mutate(held ? 'send' : 'hold', { onSuccess: leave })}
      >
        {held ? t('workspace.resumeHint') : t('workspace.holdHint')}
      </Confirm>
    </section>
  );
}
