import { Button, Title } from '@mantine/core';
import { useState } from 'react';
import type { Workspace } from '../app/places';
import { texts } from '../i18n/texts';
import classes from '../settings/settings.module.css';
import { DeleteDialog } from './delete-dialog';

const t = texts('workspace-deletion');

/** Deletes the workspace, after a dialog with the consequences. */
export function DeleteSection({ workspace }: { workspace: Workspace }) {
  const [asking, ask] = useState(false);
  return (
    <section className={classes.section} aria-labelledby="delete-workspace">
      <Title order={2} id="delete-workspace">
        {t('deleteWorkspace')}
      </Title>
      <p className={classes.hint}>{t('deleteHint')}</p>
      <Button variant="outline" color="var(--bad)" onClick={() => ask(true)}>
        {t('deleteWorkspace')}
      </Button>
      <DeleteDialog workspace={workspace} opened={asking} onClose={() => ask(false)} />
    </section>
  );
}
