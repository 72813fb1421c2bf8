import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { type Column, DataTable } from '../components/table';
import type { Difference } from '../forms/changes';
import { texts } from '../i18n/texts';
import type { Draft } from './draft';
import { nameOf, valueText } from './fields';
import classes from './settings.module.css';

const t = texts('drafts');
const settings = texts('settings');

interface Props {
  differences: Difference<Draft>[];
  pending: boolean;
  takeTheirs: () => void;
  saveMine: () => void;
}

/** A conflict: the changes that another user saved first, and the choice between both versions. */
export function Conflict({ differences, pending, takeTheirs, saveMine }: Props) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section ref={box} className={classes.conflict} role="alert" tabIndex={-1}>
      <div className={classes.conflictHead}>
        <IconAlertTriangle size={18} className={classes.sign} aria-hidden />
        <div>
          <Text fw={600}>{settings('workspace.conflictTitle')}</Text>
          <Text c="dimmed">{differences.length > 0 ? t('conflictHint') : t('conflictSame')}</Text>
        </div>
      </div>
      {differences.length > 0 && (
        <DataTable
          label={settings('workspace.conflictTitle')}
          columns={columns()}
          rows={differences}
          rowKey={(it) => it.field}
        />
      )}
      <Group gap="xs" mt="md">
        <Button variant="default" onClick={takeTheirs} disabled={pending}>
          {t('takeTheirs')}
        </Button>
        <Button onClick={saveMine} loading={pending}>
          {t('saveMine')}
        </Button>
      </Group>
    </section>
  );
}

const cell = (text: string) => (
  <span className={classes.cell} title={text}>
    {text}
  </span>
);

const columns = (): Column<Difference<Draft>>[] => [
  { key: 'field', header: t('field'), render: (it) => nameOf(it.field) },
  {
    key: 'was',
    header: t('conflictWas'),
    render: (it) => <span className="dimmed">{cell(valueText(it.field, it.was))}</span>,
  },
  {
    key: 'theirs',
    header: t('conflictTheirs'),
    render: (it) => <b>{cell(valueText(it.field, it.theirs))}</b>,
  },
  {
    key: 'mine',
    header: t('conflictMine'),
    render: (it) =>
      it.mine === undefined ? (
        <span className="dimmed">{t('unchanged')}</span>
      ) : (
        cell(valueText(it.field, it.mine))
      ),
  },
];
