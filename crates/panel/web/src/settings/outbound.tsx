import { Button, Title } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { Status } from '../components/status';
import { en } from '../i18n/en';
import { useSetOutbound } from './api';
import type { Workspace } from './draft';
import classes from './settings.module.css';

const words = en.workspace;

/** Whether what the workspace sends leaves; admins hold it, and let it go. */
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
        {words.outbound}
      </Title>
      <div role="status">
        <Status tone={held ? 'wait' : 'ok'}>{held ? words.held : words.sending}</Status>
        <p className={classes.hint}>{held ? words.outboundHold : words.outboundSend}</p>
      </div>
      {administers && (
        <Button variant="default" onClick={() => ask(true)}>
          {held ? words.letGo : words.hold}
        </Button>
      )}
      <Confirm
        title={held ? words.letGoTitle : words.holdTitle}
        verb={held ? words.letGo : words.hold}
        opened={asking}
        pending={set.isPending}
        error={set.error}
        onClose={leave}
        onConfirm={() => set.mutate(held ? 'send' : 'hold', { onSuccess: leave })}
      >
        {held ? words.letGoHint : words.holdHint}
      </Confirm>
    </section>
  );
}
