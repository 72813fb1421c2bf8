import { Button, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { ChoiceCards } from '../components/choice-cards';
import { Failure, Waiting } from '../components/states';
import { useCustomFields } from '../conditions/use-fields';
import { imports as words } from '../i18n/en/imports';
import { type OnExisting, useStartImport } from './api';
import { columnsOf, faultsOf, guessed, type Target, targetsOf } from './columns';
import type { Table } from './csv';
import classes from './imports.module.css';

const EXISTING: OnExisting[] = ['update', 'keep', 'reject'];

interface Props {
  table: Table;
  onAnother: () => void;
  onStarted: (id: string) => void;
}

/** Asks what each column is, and what becomes of contacts that are there. */
export function Mapping(props: Props) {
  const fields = useCustomFields();
  if (fields.error) return <Failure error={fields.error} retry={() => void fields.refetch()} />;
  return fields.data ? <Form {...props} fields={fields.data} /> : <Waiting lines={6} />;
}

type Fields = NonNullable<ReturnType<typeof useCustomFields>['data']>;

function Form({ table, onAnother, onStarted, fields }: Props & { fields: Fields }) {
  const { workspace } = useWhere();
  const start = useStartImport(workspace.id);
  const [targets, setTargets] = useState<Target[]>(() => guessed(table.columns, fields));
  const [existing, setExisting] = useState<OnExisting>('update');
  const faults = faultsOf(targets);
  const isRight = !faults.table && faults.columns.every((it) => it === undefined);
  const options = targetsOf(fields);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate(
          { table: table.text, columns: columnsOf(table, targets), existing },
          { onSuccess: ({ id }) => onStarted(id) },
        );
      }}
    >
      <div className={classes.head}>
        <Text fw={600}>{words.table(table.name, table.rows)}</Text>
        <Button variant="subtle" size="compact-sm" onClick={onAnother}>
          {words.another}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.scroll} aria-label={words.column} tabIndex={0}>
        <table className={classes.columns}>
          <thead>
            <tr>
              <th scope="col">{words.column}</th>
              <th scope="col">{words.becomes}</th>
              <th scope="col">{words.first}</th>
            </tr>
          </thead>
          <tbody>
            {table.columns.map((column, at) => (
              <tr key={column}>
                <th scope="row">{column}</th>
                <td>
                  <Select
                    aria-label={words.becomesOf(column)}
                    data={options}
                    value={targets[at] ?? null}
                    error={faults.columns[at]}
                    allowDeselect={false}
                    searchable
                    maxDropdownHeight={280}
                    onChange={(to) => to && setTargets(targets.map((it, other) => (other === at ? to : it)))}
                  />
                </td>
                <td className={classes.samples}>
                  {table.first.map((cells, row) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
                    <span key={row}>{cells[at] || '–'}</span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {faults.table && (
        <Text role="status" c="var(--wait)" mt="xs">
          {faults.table}
        </Text>
      )}
      <div className={classes.gap}>
        <ChoiceCards
          label={words.existing}
          choices={EXISTING.map((value) => ({ value, ...words.existings[value] }))}
          value={existing}
          onChange={setExisting}
        />
      </div>
      {start.error && (
        <div className={classes.gap}>
          <Failure error={start.error} />
          {start.error instanceof Problem && (
            <ul className={classes.faults}>
              {start.error.faults.map((it) => (
                <li key={`${it.code} ${it.message}`}>{it.message}</li>
              ))}
            </ul>
          )}
        </div>
      )}
      <Group justify="flex-end" mt="lg">
        <Button type="submit" loading={start.isPending} disabled={!isRight}>
          {words.start(table.rows)}
        </Button>
      </Group>
    </form>
  );
}
