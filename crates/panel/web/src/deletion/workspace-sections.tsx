import { Button, Title } from '@mantine/core';
import { useWhere } from '../app/here';
import type { Workspace } from '../app/places';
import { texts } from '../i18n/texts';
import classes from '../settings/settings.module.css';
import { DeleteSection } from './delete-section';
import { ExportSection } from './export-section';
import { useDeletionRights } from './rights';

const t = texts('workspace-deletion');

/** Export and deletion in the workspace settings. A sandbox refers to its live workspace. */
export function WorkspaceSections({ workspace }: { workspace: Workspace }) {
  const { inSandbox } = useWhere();
  const { mayExport, mayDelete } = useDeletionRights();
  if (inSandbox) return mayExport && <OfSandbox />;
  return (
    <>
      {mayExport && <ExportSection ws={workspace.id} />}
      {mayDelete && <DeleteSection workspace={workspace} />}
    </>
  );
}

function OfSandbox() {
  const { live, go } = useWhere();
  return (
    <section className={classes.section} aria-labelledby="export-and-deletion">
      <Title order={2} id="export-and-deletion">
        {t('sandboxTitle')}
      </Title>
      <p className={classes.hint}>{t('sandboxHint', { name: live.name })}</p>
      <Button variant="default" onClick={() => go(live.id)}>
        {t('sandboxOpen')}
      </Button>
    </section>
  );
}
