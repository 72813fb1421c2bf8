import { Button, Title } from '@mantine/core';
import { useState } from 'react';
import type { Workspace } from '../app/places';
import { workspaceDeletion as words } from '../i18n/en/workspace-deletion';
import classes from '../settings/settings.module.css';
import { DeleteDialog } from './delete-dialog';

/** Deletes the workspace, after a dialog with the consequences. */
export function DeleteSection({ workspace }: { workspace: Workspace }) {
  const [asking, ask] = useState(false);
  return (
    <section className={classes.section} aria-labelledby="delete-workspace">
      <Title order={2} id="delete-workspace">
        {words.deleteTitle}
      </Title>
      <p className={classes.hint}>{words.deleteHint}</p>
      <Button variant="outline" color="var(--bad)" onClick={() => ask(true)}>
        {words.deleteVerb}
      </Button>
      <DeleteDialog workspace={workspace} opened={asking} onClose={() => ask(false)} />
    </section>
  );
}
