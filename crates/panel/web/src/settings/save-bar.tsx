import { Button, Group } from '@mantine/core';
import { texts } from '../i18n/texts';
import type { Field } from './draft';
import { nameOf } from './fields';
import classes from './settings.module.css';

const t = texts('drafts');

interface Props {
  changed: Field[];
  pending: boolean;
  discard: () => void;
}

/** A bar that appears when something changed, and stays visible. */
export function SaveBar({ changed, pending, discard }: Props) {
  const fields = changed.map(nameOf).join(', ');
  return (
    <div className={classes.bar}>
      <span role="status" className={classes.unsaved}>
        {t('unsaved', { fields })}
      </span>
      <Group gap="xs">
        <Button variant="default" onClick={discard}>
          {t('discard')}
        </Button>
        <Button type="submit" loading={pending}>
          {t('save')}
        </Button>
      </Group>
    </div>
  );
}
