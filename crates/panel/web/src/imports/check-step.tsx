import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { ChoiceCards } from '../components/choice-cards';
import { Fact, Facts } from '../components/facts';
import { SubmitForm } from '../components/submit-form';
import { list, number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { useStartImport } from './api';
import type { ImportCheck, OnError, OnExisting } from './check';
import { type Decisions, SKIP, targetOf } from './decisions';
import { expectedOf } from './expected';
import classes from './imports.module.css';
import { rowMessage, tableMessage } from './messages';
import { Refusal } from './refusal';
import { remember } from './remembered';
import type { Table } from './use-table';

const t = texts('imports');

const EXISTING: OnExisting[] = ['update', 'keep', 'reject'];
const ON_ERROR: OnError[] = ['skip_cell', 'reject_row'];

interface Props {
  table: Table;
  onBack: () => void;
  onStarted: (id: string) => void;
}

/** Step 3: the result of the check, the last choices, and the start of the import. */
export function CheckStep({ table, onBack, onStarted }: Props) {
  const { workspace } = useWhere();
  const { source, check, decisions, choices } = table;
  const start = useStartImport(workspace.id);
  const [isStarted, setIsStarted] = useState(false);
  if (!source || !check) return null;
  const { existing, onError } = choices;
  const send = () => {
    // A second click arrives before the button is disabled.
    if (isStarted || start.isPending) return;
    setIsStarted(true);
    start.mutate(
      { source, parameters: check.parameters, existing, onError },
      {
        onSuccess: ({ id }) => {
          remember(
            workspace.id,
            check.columns.map((it) => it.heading),
            decisions,
          );
          onStarted(id);
        },
        onError: () => setIsStarted(false),
      },
    );
  };
  return (
    <SubmitForm onSubmit={send}>
      <Totals check={check} decisions={decisions} />
      <Findings check={check} fields={table.fields} />
      <div className={classes.choices}>
        <ChoiceCards
          label={t('onError')}
          choices={ON_ERROR.map((value) => ({
            value,
            name: t(`onErrors.${value}.name`),
            says: t(`onErrors.${value}.says`),
          }))}
          value={onError}
          onChange={(it) => table.set({ onError: it })}
        />
        <ChoiceCards
          label={t('existing')}
          choices={EXISTING.map((value) => ({
            value,
            name: t(`existings.${value}.name`),
            says: t(`existings.${value}.says`),
          }))}
          value={existing}
          onChange={(it) => table.set({ existing: it })}
        />
      </div>
      {table.error && <Refusal error={table.error} retry={table.retry} />}
      {start.error && <Refusal error={start.error} retry={send} />}
      <Group justify="space-between" mt="lg">
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        <Button
          type="submit"
          loading={start.isPending || table.isChecking}
          disabled={!check.ready || !table.isCurrent}
        >
          {t('start', { count: check.rows })}
        </Button>
      </Group>
    </SubmitForm>
  );
}

function Totals({ check, decisions }: { check: ImportCheck; decisions: Decisions }) {
  const skipped = check.columns.filter((it) => targetOf(it, decisions) === SKIP);
  const failing = check.columns.reduce((sum, it) => sum + it.failing, 0);
  const clockChanges = check.columns.reduce((sum, it) => sum + it.clock_changes, 0);
  const { count } = check.row_errors;
  return (
    <>
      <Facts>
        <Fact name={t('rows')}>{number(check.rows)}</Fact>
        <Fact name={t('imported')}>{number(check.columns.length - skipped.length)}</Fact>
        <Fact name={t('wrongCells')} tone={failing > 0 ? 'wait' : undefined}>
          {number(failing)}
        </Fact>
        <Fact name={t('wrongRows')} tone={count > 0 ? 'bad' : undefined}>
          {number(count)}
        </Fact>
      </Facts>
      {clockChanges > 0 && <Text mb="sm">{t('clockChanges', { count: clockChanges })}</Text>}
      {skipped.length > 0 && (
        <Text c="dimmed" mb="sm">
          {t('notImported', { columns: list(skipped.map((it) => it.heading)) })}
        </Text>
      )}
    </>
  );
}

/** The cells and rows that do not fit, each with examples and the reason. */
function Findings({ check, fields }: { check: ImportCheck; fields: Table['fields'] }) {
  const failing = check.columns.filter((it) => it.failing > 0);
  const { count, examples } = check.row_errors;
  if (failing.length === 0 && count === 0) return <Text mb="sm">{t('allFit')}</Text>;
  return (
    <div className={classes.findings}>
      {failing.map((it, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several columns can have the same heading
        <section key={at} aria-label={it.heading}>
          <Text fw={600}>{t('cellsOf', { column: it.heading, count: it.failing, filled: it.filled })}</Text>
          {expectedOf(it, fields) && <Text c="dimmed">{expectedOf(it, fields)}</Text>}
          <ul className={classes.list}>
            {it.failures.map((cell) => (
              <li key={cell.line}>
                {t('lineOfValue', { line: cell.line, value: cell.value, message: tableMessage(cell) })}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {count > 0 && (
        <section aria-label={t('wrongRows')}>
          <Text fw={600}>{t('rowsOf', { count })}</Text>
          <ul className={classes.list}>
            {examples.map((row) => (
              <li key={row.line}>{t('lineOf', { line: row.line, message: rowMessage(row) })}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
