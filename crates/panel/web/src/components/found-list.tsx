import { Button } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import classes from './found-list.module.css';
import { Empty, Failure, Waiting } from './states';
import { type Column, DataTable, morePages } from './table';

/** The loaded pages of a list. */
export type Pages<Row> = Pick<
  UseInfiniteQueryResult<InfiniteData<{ data: Row[]; total?: number }>>,
  'data' | 'error' | 'isPending' | 'refetch' | 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'
>;

export interface ListProps<Row> {
  /** A description of the rows. */
  label: string;
  list: Pages<Row>;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  /** Opens a row. Without it, rows are read-only. */
  onOpen?: (row: Row) => void;
  openKey?: string;
  /** Shown if the list is empty without filters. */
  empty: React.ReactNode;
  /** The filter fields, and whether a filter is set. */
  filters?: React.ReactNode;
  isFiltered?: boolean;
  /** The texts if no row matches the filters, with the label of the button that clears them. */
  noMatch?: { title: string; hint?: string; clear: string };
  onClear?: () => void;
  /** Describes the total number of rows. */
  count?: (total: number) => string;
}

/** A paged list that the server filters. */
export function FoundList<Row>(props: ListProps<Row>) {
  const {
    label,
    list,
    columns,
    rowKey,
    onOpen,
    openKey,
    empty,
    filters,
    isFiltered,
    noMatch,
    onClear,
    count,
  } = props;
  if (list.error && !list.data) return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (list.isPending || !list.data) return <Waiting />;
  const rows = list.data.pages.flatMap((page) => page.data);
  if (rows.length === 0 && !isFiltered) return empty;
  return (
    <>
      {filters && (
        <div className={classes.filters}>
          {filters}
          {count && (
            <span className="dimmed figures" role="status">
              {count(list.data.pages[0]?.total ?? rows.length)}
            </span>
          )}
        </div>
      )}
      {rows.length === 0 ? (
        <Empty
          title={noMatch?.title ?? ''}
          action={
            <Button variant="default" onClick={onClear}>
              {noMatch?.clear}
            </Button>
          }
        >
          {noMatch?.hint}
        </Empty>
      ) : (
        <DataTable
          label={label}
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          openKey={openKey}
          onOpen={onOpen}
          {...morePages(list)}
        />
      )}
    </>
  );
}
