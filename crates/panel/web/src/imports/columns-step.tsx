import { Button, Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { texts } from '../i18n/texts';
import { type Column, hasNoHeading } from './check';
import { ColumnRow } from './column-row';
import classes from './columns.module.css';
import { hasIdentifier, isRepeated, SKIP } from './decisions';
import { FieldDialog } from './field-dialog';
import { tableMessage } from './messages';
import { Refusal } from './refusal';
import type { Table } from './use-table';

const t = texts('imports');

interface Props {
  table: Table;
  onBack: () => void;
  onNext: () => void;
}

/** Step 2: the target and format of each column. */
export function ColumnsStep({ table, onBack, onNext }: Props) {
  const { role } = useWhere();
  const { check, needs, decisions, fields } = table;
  const [creating, setCreating] = useState<number>();
  const list = useRef<HTMLOListElement>(null);
  if (!check) return null;
  const open = needs.flatMap((need, at) => (need ? [at] : []));
  const headings = check.columns.map((it) => it.heading);
  const goTo = (at: number) => focusColumn(list.current, at);
  const isIdentified = hasIdentifier(check, decisions);
  const next = () => {
    if (open[0] !== undefined) goTo(open[0]);
    else if (isIdentified && table.isCurrent && check.ready) onNext();
  };
  return (
    <>
      <Summary table={table} open={open} goTo={goTo} />
      {table.error && <Refusal error={table.error} retry={table.retry} />}
      <div className={classes.titles} aria-hidden>
        <span>{t('column')}</span>
        <span>{t('importAs')}</span>
        <span>{t('format')}</span>
      </div>
      <ol className={classes.columns} aria-label={t('columns')} ref={list}>
        {check.columns.map((column, at) => (
          <ColumnRow
            // biome-ignore lint/suspicious/noArrayIndexKey: several columns can have the same heading
            key={at}
            at={at}
            column={column}
            decision={decisions[column.heading]}
            need={needs[at]}
            isRepeated={isRepeated(column.heading, headings)}
            message={check.problems.find((it) => it.column === column.heading)}
            fields={fields}
            canCreate={mayWrite(role)}
            onDecide={(it) => table.decide({ [column.heading]: it })}
            onCreate={() => setCreating(at)}
          />
        ))}
      </ol>
      <Group justify="space-between" mt="lg">
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        <Button onClick={next} loading={table.isChecking && open.length === 0}>
          {t('toCheck')}
        </Button>
      </Group>
      <FieldDialog
        column={creating === undefined ? undefined : check.columns[creating]}
        onClose={() => setCreating(undefined)}
        onCreated={(heading, key) =>
          table.decide({ [heading]: { target: `custom_fields.${key}`, format: undefined, among: undefined } })
        }
      />
    </>
  );
}

interface SummaryProps {
  table: Table;
  /** The columns that need a decision. */
  open: number[];
  goTo: (at: number) => void;
}

function nameOf(column: Column | undefined, at: number): string {
  return !column || hasNoHeading(column, at) ? t('noHeading', { at: at + 1 }) : column.heading;
}

/** The decisions that the import needs, with a button for each. */
function Summary({ table, open, goTo }: SummaryProps) {
  const { check, needs, decisions } = table;
  if (!check) return null;
  const unknown = open.filter((at) => needs[at] === 'target');
  const headings = check.columns.map((it) => it.heading);
  const general = check.problems.filter(
    (it) => it.code !== 'required' && !headings.includes(it.column || '\n'),
  );
  const isIdentified = hasIdentifier(check, decisions);
  const skipUnknown = () =>
    table.decide(
      Object.fromEntries(unknown.map((at) => [check.columns[at]?.heading ?? '', { target: SKIP }])),
    );
  return (
    <section className={classes.summary} data-open={open.length > 0 || !isIdentified || undefined}>
      <Text fw={600} role="status">
        {open.length > 0 ? t('decisions', { count: open.length }) : isIdentified ? t('noDecisions') : ''}
      </Text>
      {open.length > 0 && (
        <div className={classes.jumps}>
          {open.map((at) => (
            <Button key={at} variant="default" size="compact-sm" onClick={() => goTo(at)}>
              {nameOf(check.columns[at], at)}
            </Button>
          ))}
          {unknown.length > 0 && (
            <Button variant="subtle" size="compact-sm" onClick={skipUnknown}>
              {t('skipUnknown', { count: unknown.length })}
            </Button>
          )}
        </div>
      )}
      {!isIdentified && <Text>{t('noIdentifier')}</Text>}
      {general.map((it) => (
        <Text key={it.message}>{tableMessage(it)}</Text>
      ))}
      {table.isRecalled && (
        <Text c="dimmed">
          {t('recalled')}{' '}
          <Button variant="subtle" size="compact-sm" onClick={table.reset}>
            {t('reset')}
          </Button>
        </Text>
      )}
    </section>
  );
}

/** Moves the focus to the control with which the user decides about a column. */
function focusColumn(list: HTMLOListElement | null, at: number): void {
  const row = list?.children[at];
  const controls = row?.querySelectorAll<HTMLElement>('input:not([type="hidden"]), button') ?? [];
  const marked = row?.querySelector<HTMLElement>('[data-decide] input, [data-decide] button');
  (marked ?? controls[0])?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}
