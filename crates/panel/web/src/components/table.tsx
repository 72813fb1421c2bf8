import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { texts } from '../i18n/texts';
import { Cards } from './cards';
import type { Column } from './columns';
import { usePhone } from './phone';
import classes from './table.module.css';

const common = texts('common');

export type { Column } from './columns';

interface Props<Row> {
  /** A description of the rows for screen readers. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** Opens a row. Without it, rows are read-only. */
  onOpen?: (row: Row) => void;
  openKey?: string;
  /** Loads more rows. Absent if all rows are loaded. */
  more?: () => void;
  loadingMore?: boolean;
  /** Whether all columns fit on a phone. */
  isNarrow?: boolean;
}

interface MorePages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** The properties of a table that loads the pages of a list. */
export const morePages = (list: MorePages) => ({
  more: list.hasNextPage ? () => void list.fetchNextPage() : undefined,
  loadingMore: list.isFetchingNextPage,
});

/** The number of columns that fit on a phone. */
const FEW = 2;

/**
 * A table with one type of row. `j`, `k` and the arrow keys move between rows, Enter opens one. On a phone, a
 * table with more than two columns becomes a list of cards.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, onOpen, openKey, more, loadingMore, isNarrow } = props;
  const onPhone = usePhone();
  const hasCards = onPhone && !isNarrow && columns.length > FEW;
  const body = useRef<HTMLTableSectionElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const end = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!more || loadingMore || !end.current) return;
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && more(), {
      rootMargin: '300px',
    });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [more, loadingMore]);

  const walk = (event: React.KeyboardEvent<HTMLElement>, row: Row, at: number) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const all = hasCards ? list.current?.children : body.current?.rows;
      (all?.[at + step] as HTMLElement | undefined)?.focus();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      onOpen?.(row);
    }
  };
  const firstStop = Math.max(
    0,
    rows.findIndex((row) => rowKey(row) === openKey),
  );

  const handlers = (row: Row, at: number) =>
    onOpen
      ? {
          'data-opens': true as const,
          tabIndex: at === firstStop ? 0 : -1,
          onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => walk(event, row, at),
          onClick: (event: React.MouseEvent) => isPlain(event) && onOpen(row),
        }
      : {};
  const table = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" data-align={column.align} style={{ width: column.width }}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, at) => {
            const key = rowKey(row);
            return (
              <tr key={key} data-open={key === openKey || undefined} {...handlers(row, at)}>
                {columns.map((column) => (
                  <td key={column.key} data-align={column.align}>
                    {column.render(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
  return (
    <>
      {hasCards ? <Cards {...{ label, columns, rows, rowKey, openKey, list, handlers }} /> : table}
      {more && (
        <div ref={end} className={classes.more}>
          <Button variant="subtle" loading={loadingMore} onClick={more}>
            {common('loadMore')}
          </Button>
        </div>
      )}
    </>
  );
}

/** Whether a click opens the row: it is not on a link, button or input, and does not end a text selection. */
function isPlain(event: React.MouseEvent): boolean {
  return !(event.target as Element).closest('a, button, input') && !window.getSelection()?.toString();
}
