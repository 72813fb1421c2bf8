import { Button, Group } from '@mantine/core';
import { en } from '../i18n/en';
import type { Field, UpdateWorkspace } from './draft';
import { nameOf } from './fields';
import classes from './settings.module.css';

interface Props {
  changed: UpdateWorkspace;
  pending: boolean;
  discard: () => void;
}

/** Appears when something changed, and stays in sight. */
export function SaveBar({ changed, pending, discard }: Props) {
  const fields = (Object.keys(changed) as Field[]).map(nameOf).join(', ');
  return (
    <div className={classes.bar}>
      <span role="status" className={classes.unsaved}>
        {en.workspace.unsaved(fields)}
      </span>
      <Group gap="xs">
        <Button variant="default" onClick={discard}>
          {en.common.discard}
        </Button>
        <Button type="submit" loading={pending}>
          {en.common.save}
        </Button>
      </Group>
    </div>
  );
}
