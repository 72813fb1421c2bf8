import { Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { useWhere } from '../app/here';
import { Failure, Waiting } from '../components/states';
import { type Column, DataTable } from '../components/table';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import { useRejected } from './api';
import classes from './imports.module.css';
import { reasonText, rowMessage, tableMessage } from './messages';
import { type Reason, reasonsOf } from './rejected';

const t = texts('imports');

/** The most reasons on the page. The download contains all of them. */
const SHOWN = 10;

/** The most frequent reasons for rejected rows and skipped cells. */
export function Reasons({ id }: { id: string }) {
  const { workspace } = useWhere();
  const found = useRejected(workspace.id, id);
  const reasons = useMemo(
    () => (found.data ? reasonsOf(found.data.text, found.data.isWhole).slice(0, SHOWN) : []),
    [found.data],
  );
  if (found.error) return <Failure error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <Waiting lines={3} />;
  if (reasons.length === 0) return null;
  return (
    <section className={classes.findings}>
      <Title order={2}>{t('topReasons')}</Title>
      {!found.data.isWhole && <Text c="dimmed">{t('reasonsOfPart')}</Text>}
      <DataTable
        label={t('topReasons')}
        columns={columns()}
        rows={reasons}
        rowKey={({ column, code, isSkipped }) => `${column} ${code} ${isSkipped}`}
      />
    </section>
  );
}

const columns = (): Column<Reason>[] => [
  { key: 'column', header: t('column'), render: ({ column }) => column || t('wholeRow') },
  {
    key: 'reason',
    header: t('reason'),
    render: ({ column, code, message }) => (
      <span className={classes.text}>{reasonText(column, code, message)}</span>
    ),
  },
  {
    key: 'rejected',
    header: t('rejectedRows'),
    align: 'end',
    render: ({ isSkipped, count }) => (isSkipped ? '–' : number(count)),
  },
  {
    key: 'skipped',
    header: t('skippedCells'),
    align: 'end',
    render: ({ isSkipped, count }) => (isSkipped ? number(count) : '–'),
  },
  {
    key: 'example',
    header: t('example'),
    render: ({ column, line, code, message }) => {
      const messageOf = column === '' ? rowMessage : tableMessage;
      return (
        <span className={classes.text}>{t('lineOf', { line, message: messageOf({ code, message }) })}</span>
      );
    },
  },
];
