import { type Column, DataTable } from '../components/table';
import { texts } from '../i18n/texts';
import classes from './analytics.module.css';

const t = texts('analytics');
/** The API returns at most this many flows, sequences, broadcasts and members. */
const MOST = 100;

interface Props<Row> {
  title: string;
  rows: Row[];
  rowKey: (row: Row) => string;
  columns: Column<Row>[];
}

/** A table with its heading. Nothing is shown if the table is empty. */
export function Section<Row>({ title, rows, rowKey, columns }: Props<Row>) {
  if (rows.length === 0) return null;
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      <DataTable label={title} columns={columns} rows={rows} rowKey={rowKey} />
      {rows.length === MOST && <p className={classes.most}>{t('most')}</p>}
    </section>
  );
}
