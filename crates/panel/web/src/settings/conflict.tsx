import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { type Column, DataTable } from '../components/table';
import { en } from '../i18n/en';
import type { Difference } from './draft';
import { nameOf } from './fields';
import classes from './settings.module.css';

const words = en.workspace;

interface Props {
  differences: Difference[];
  pending: boolean;
  takeTheirs: () => void;
  saveMine: () => void;
}

/** Somebody else saved first: what they changed, and what may become of one's own. */
export function Conflict({ differences, pending, takeTheirs, saveMine }: Props) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section ref={box} className={classes.conflict} role="alert" tabIndex={-1}>
      <div className={classes.conflictHead}>
        <IconAlertTriangle size={18} className={classes.sign} aria-hidden />
        <div>
          <Text fw={600}>{words.conflictTitle}</Text>
          <Text c="dimmed">{differences.length > 0 ? words.conflictHint : words.conflictSame}</Text>
        </div>
      </div>
      {differences.length > 0 && (
        <DataTable
          label={words.conflictTitle}
          columns={COLUMNS}
          rows={differences}
          rowKey={(it) => it.field}
        />
      )}
      <Group gap="xs" mt="md">
        <Button variant="default" onClick={takeTheirs} disabled={pending}>
          {words.takeTheirs}
        </Button>
        <Button onClick={saveMine} loading={pending}>
          {words.saveMine}
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

const COLUMNS: Column<Difference>[] = [
  { key: 'field', header: words.conflictField, render: (it) => nameOf(it.field) },
  { key: 'was', header: words.conflictWas, render: (it) => <span className="dimmed">{cell(it.was)}</span> },
  { key: 'theirs', header: words.conflictTheirs, render: (it) => <b>{cell(it.theirs)}</b> },
  {
    key: 'mine',
    header: words.conflictMine,
    render: (it) =>
      it.mine === undefined ? <span className="dimmed">{words.unchanged}</span> : cell(it.mine),
  },
];
