import { Button, Group, Text } from '@mantine/core';
import { useWhere } from '../app/here';
import { shortened } from '../components/id';
import { texts } from '../i18n/texts';
import { shownValue } from './actions';
import { type BulkPreview, countOf, useStart, type Wanted } from './api';
import classes from './bulk.module.css';
import { Refused } from './refused';
import { useObjectName } from './use-object-name';

const t = texts('bulk');

interface Props {
  wanted: Wanted;
  preview: BulkPreview;
  onBack: () => void;
  onStarted: (id: string) => void;
}

/** Confirms an operation: the number of contacts, the workspace, and the result for some contacts. */
export function Sure({ wanted, preview, onBack, onStarted }: Props) {
  const { workspace, live, inSandbox } = useWhere();
  const start = useStart(workspace.id);
  const now = countOf(start.error);
  const count = now ?? preview.matched;
  const { type } = wanted.action;
  const name = useObjectName(wanted.action) ?? '';
  const value = wanted.action.type === 'set_field' ? shownValue(wanted.action.value) : '';
  return (
    <div>
      <div role="status">
        {now !== undefined && (
          <Text c="var(--wait)" mb="xs">
            {t('countChanged', { count: now })}
          </Text>
        )}
        <Text fw={600} className={classes.sure}>
          {count === 0 ? t('noMatch') : t(`confirm.${type}`, { count, name, value })}
        </Text>
        <Text c="dimmed" mt="xs">
          {t(`actions.${type}.hint`)}
        </Text>
        <Text c="dimmed" mt="xs">
          {inSandbox ? t('sandboxOf', { workspace: live.name }) : live.name}
        </Text>
      </div>
      {preview.sample.length > 0 && <Sample of={preview.sample} />}
      {now === undefined && <Refused error={start.error} />}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        <Button
          color={type === 'delete' ? 'red.8' : undefined}
          loading={start.isPending}
          disabled={count === 0}
          onClick={() =>
            start.mutate({ ...wanted, expected_count: count }, { onSuccess: ({ id }) => onStarted(id) })
          }
        >
          {t(`verbs.${type}`, { count })}
        </Button>
      </Group>
    </div>
  );
}

function Sample({ of }: { of: BulkPreview['sample'] }) {
  return (
    <section aria-labelledby="bulk-sample">
      <Text id="bulk-sample" mt="md" fw={500}>
        {t('sample')}
      </Text>
      <ul className={classes.sample}>
        {of.map(({ contact_id, name, outcome }) => (
          <li key={contact_id}>
            <span>{name ?? shortened(contact_id)}</span>
            {outcome && <span className="dimmed">{t(`outcomes.${outcome}`)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
