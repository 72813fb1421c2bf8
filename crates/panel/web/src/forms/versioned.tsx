import { Button, Group, Text } from '@mantine/core';
import { LeaveGuard } from '../components/leave-guard';
import { Failure } from '../components/states';
import { type Column, DataTable } from '../components/table';
import { en } from '../i18n/en';
import { type Difference, type Field, inWords } from './changes';
import type { Editing } from './use-draft';
import classes from './versioned.module.css';

const words = en.forms;

interface Props<Draft> {
  editing: Editing<Draft>;
  /** What a field is called on the page. */
  nameOf: (field: Field<Draft>) => string;
  children: React.ReactNode;
}

/** The frame of a form with a draft: conflicts above, the save bar below, and leaving warns. */
export function VersionedForm<Draft extends object>({ editing, nameOf, children }: Props<Draft>) {
  const { changed, conflict, failure, pending, saved, submit, discard } = editing;
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {conflict && <ConflictBox {...conflict} nameOf={nameOf} pending={pending} />}
      {children}
      {failure != null && <Failure error={failure} />}
      <div role="status" className={classes.saved}>
        {saved && en.common.saved}
      </div>
      {changed.length > 0 && !conflict && (
        <div className={classes.bar}>
          <span role="status" className={classes.unsaved}>
            {en.workspace.unsaved(changed.map(nameOf).join(', '))}
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
      )}
      <LeaveGuard unsaved={changed.length > 0} />
    </form>
  );
}

interface ConflictProps<Draft> {
  differences: Difference<Draft>[];
  takeTheirs: () => void;
  saveMine: () => void;
  nameOf: (field: Field<Draft>) => string;
  pending: boolean;
}

function ConflictBox<Draft extends object>(props: ConflictProps<Draft>) {
  const { differences, takeTheirs, saveMine, nameOf, pending } = props;
  const cell = (value: unknown) => (
    <span className={classes.cell} title={inWords(value)}>
      {inWords(value)}
    </span>
  );
  const columns: Column<Difference<Draft>>[] = [
    { key: 'field', header: en.workspace.conflictField, render: (it) => nameOf(it.field) },
    { key: 'was', header: en.workspace.conflictWas, render: (it) => cell(it.was) },
    { key: 'theirs', header: en.workspace.conflictTheirs, render: (it) => <b>{cell(it.theirs)}</b> },
    {
      key: 'mine',
      header: en.workspace.conflictMine,
      render: (it) => ('mine' in it ? cell(it.mine) : en.workspace.unchanged),
    },
  ];
  return (
    <section className={classes.conflict} role="alert">
      <Text fw={600}>{words.conflictTitle}</Text>
      <Text c="dimmed" mb="xs">
        {differences.length > 0 ? en.workspace.conflictHint : en.workspace.conflictSame}
      </Text>
      {differences.length > 0 && (
        <DataTable
          label={words.conflictTitle}
          columns={columns}
          rows={differences}
          rowKey={(it) => it.field}
        />
      )}
      <Group gap="xs" mt="md">
        <Button variant="default" onClick={takeTheirs} disabled={pending}>
          {en.workspace.takeTheirs}
        </Button>
        <Button onClick={saveMine} loading={pending}>
          {en.workspace.saveMine}
        </Button>
      </Group>
    </section>
  );
}
