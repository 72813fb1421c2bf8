import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { LeaveGuard } from '../components/leave-guard';
import { Failure } from '../components/states';
import { SubmitForm } from '../components/submit-form';
import { type Column, DataTable } from '../components/table';
import { texts } from '../i18n/texts';
import { type Difference, type Field, inWords } from './changes';
import type { Editing } from './use-draft';
import classes from './versioned.module.css';

const t = texts('drafts');

interface Props<Draft> {
  editing: Editing<Draft>;
  nameOf: (field: Field<Draft>) => string;
  /** The text of a value in a conflict. */
  textOf?: (field: Field<Draft>, value: unknown) => string;
  children: React.ReactNode;
}

/** The frame of a form with a draft: conflicts, a save bar, and a warning before unsaved changes are lost. */
export function VersionedForm<Draft extends object>({ editing, nameOf, textOf, children }: Props<Draft>) {
  const { changed, conflict, failure, pending, saved, submit, discard } = editing;
  return (
    <SubmitForm className={classes.form} noValidate onSubmit={submit}>
      {conflict && <ConflictBox {...conflict} nameOf={nameOf} textOf={textOf} pending={pending} />}
      {children}
      {failure != null && <Failure error={failure} />}
      <div role="status" className={classes.saved}>
        {saved && t('saved')}
      </div>
      {changed.length > 0 && !conflict && (
        <SaveBar text={t('unsaved', { fields: changed.map(nameOf).join(', ') })}>
          <Button variant="default" onClick={discard}>
            {t('discard')}
          </Button>
          <Button type="submit" loading={pending}>
            {t('save')}
          </Button>
        </SaveBar>
      )}
      <LeaveGuard unsaved={changed.length > 0} />
    </SubmitForm>
  );
}

/** A bar for unsaved changes. It stays in view while the page scrolls. */
export function SaveBar({ text, children }: { text: string; children: React.ReactNode }) {
  return (
    <div className={classes.bar}>
      <span role="status" className={classes.unsaved}>
        {text}
      </span>
      <Group gap="xs">{children}</Group>
    </div>
  );
}

interface ConflictProps<Draft> {
  differences: Difference<Draft>[];
  takeTheirs: () => void;
  saveMine: () => void;
  nameOf: (field: Field<Draft>) => string;
  textOf?: (field: Field<Draft>, value: unknown) => string;
  pending: boolean;
}

/** The changes that another user saved first, and the choice between both versions. */

function ConflictBox<Draft extends object>(props: ConflictProps<Draft>) {
  const { differences, takeTheirs, saveMine, nameOf, textOf = (_, value) => inWords(value), pending } = props;
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  const cell = (field: Field<Draft>, value: unknown) => (
    <span className={classes.cell} title={textOf(field, value)}>
      {textOf(field, value)}
    </span>
  );
  const columns: Column<Difference<Draft>>[] = [
    { key: 'field', header: t('field'), render: (it) => nameOf(it.field) },
    {
      key: 'was',
      header: t('conflictWas'),
      render: (it) => <span className="dimmed">{cell(it.field, it.was)}</span>,
    },
    { key: 'theirs', header: t('conflictTheirs'), render: (it) => <b>{cell(it.field, it.theirs)}</b> },
    {
      key: 'mine',
      header: t('conflictMine'),
      render: (it) =>
        'mine' in it ? cell(it.field, it.mine) : <span className="dimmed">{t('unchanged')}</span>,
    },
  ];
  return (
    <section ref={box} className={classes.conflict} role="alert" tabIndex={-1}>
      <div className={classes.head}>
        <IconAlertTriangle size={18} className={classes.sign} aria-hidden />
        <div>
          <Text fw={600}>{t('conflictTitle')}</Text>
          <Text c="dimmed">{differences.length > 0 ? t('conflictHint') : t('conflictSame')}</Text>
        </div>
      </div>
      {differences.length > 0 && (
        <DataTable
          label={t('conflictTitle')}
          columns={columns}
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
