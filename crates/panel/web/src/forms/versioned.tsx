import { Button, Group, Text } from '@mantine/core';
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
  children: React.ReactNode;
}

/** The frame of a form with a draft: conflicts, a save bar, and a warning before unsaved changes are lost. */
export function VersionedForm<Draft extends object>({ editing, nameOf, children }: Props<Draft>) {
  const { changed, conflict, failure, pending, saved, submit, discard } = editing;
  return (
    <SubmitForm className={classes.form} noValidate onSubmit={submit}>
      {conflict && <ConflictBox {...conflict} nameOf={nameOf} pending={pending} />}
      {children}
      {failure != null && <Failure error={failure} />}
      <div role="status" className={classes.saved}>
        {saved && t('saved')}
      </div>
      {changed.length > 0 && !conflict && (
        <div className={classes.bar}>
          <span role="status" className={classes.unsaved}>
            {t('unsaved', { fields: changed.map(nameOf).join(', ') })}
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
      )}
      <LeaveGuard unsaved={changed.length > 0} />
    </SubmitForm>
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
    { key: 'field', header: t('field'), render: (it) => nameOf(it.field) },
    { key: 'was', header: t('conflictWas'), render: (it) => cell(it.was) },
    { key: 'theirs', header: t('conflictTheirs'), render: (it) => <b>{cell(it.theirs)}</b> },
    {
      key: 'mine',
      header: t('conflictMine'),
      render: (it) => ('mine' in it ? cell(it.mine) : t('unchanged')),
    },
  ];
  return (
    <section className={classes.conflict} role="alert">
      <Text fw={600}>{t('conflictTitle')}</Text>
      <Text c="dimmed" mb="xs">
        {differences.length > 0 ? t('conflictHint') : t('conflictSame')}
      </Text>
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
