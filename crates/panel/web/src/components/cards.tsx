import classes from './cards.module.css';
import type { Column } from './columns';

interface Props<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  openKey: string | undefined;
  list: React.RefObject<HTMLUListElement | null>;
  /** The handlers that focus and open a row. */
  handlers: (row: Row, at: number) => React.HTMLAttributes<HTMLElement> & { 'data-opens'?: true };
}

/**
 * The rows of a table as cards, for narrow windows: the main column, followed by the other columns with their
 * names.
 */
export function Cards<Row>({ label, columns, rows, rowKey, openKey, list, handlers }: Props<Row>) {
  const main = columns.find((it) => it.isMain) ?? columns[0];
  const others = columns.filter((it) => it !== main);
  return (
    <ul ref={list} className={classes.cards} aria-label={label}>
      {rows.map((row, at) => {
        const key = rowKey(row);
        return (
          <li
            key={key}
            className={classes.card}
            data-open={key === openKey || undefined}
            {...handlers(row, at)}
          >
            <div className={classes.title}>{main?.render(row)}</div>
            <div className={classes.facts}>
              {others.map((column) => (
                <div key={column.key} className={classes.fact} data-wide={column.isWide}>
                  <span className={classes.name}>{column.header}</span>
                  <span className={classes.value}>{column.render(row)}</span>
                </div>
              ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
