import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { usePhone } from '../components/phone';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import type { Contact } from './api';
import type { ContactColumn } from './columns';
import { PHONE_COLUMN, PHONE_ROW } from './phone-column';
import { ContactRow } from './row';
import type { ContactSort } from './search';
import { SortHead } from './sort-head';
import classes from './table.module.css';
import type { Selection } from './use-selection';
import { useWalk } from './use-walk';

const t = texts('contacts');

const ROW = 36;
/** The width of the check box column, in pixels. */
const CHECK = 40;
/** The scroll position of each list, restored when the user returns. */
const left = new Map<string, number>();

interface Props {
  rows: Contact[];
  columns: ContactColumn[];
  /** The total number of contacts, if it is known. */
  total: number | undefined;
  sort: ContactSort;
  onSort: (sort: ContactSort) => void;
  onOpen: (contact: Contact) => void;
  /** Absent for users who may only read. */
  selection: Selection | undefined;
  more: (() => void) | undefined;
  loadingMore: boolean;
  moreError: unknown;
  /** Identifies the list. Another list starts at the top. */
  listKey: string;
}

/** A table that only renders visible contacts and loads more pages while the user scrolls. */
export function ContactTable(props: Props) {
  const { rows, total, sort, onSort, onOpen, selection, more, loadingMore, moreError, listKey } = props;
  const onPhone = usePhone();
  const columns = onPhone ? [PHONE_COLUMN] : props.columns;
  const height = onPhone ? PHONE_ROW : ROW;
  const box = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 12,
    initialOffset: left.get(listKey) ?? 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights of rows change with the width of the window
  useEffect(() => virtual.measure(), [height]);
  const seen = virtual.getVirtualItems();
  const last = seen.at(-1)?.index ?? -1;
  const near = last >= rows.length - ROW;
  useEffect(() => {
    if (near && more && !loadingMore && !moreError) more();
  }, [near, more, loadingMore, moreError]);
  useEffect(() => {
    const it = box.current;
    return () => void left.set(listKey, it?.scrollTop ?? 0);
  }, [listKey]);

  const walk = useWalk({
    count: rows.length,
    first: seen[0]?.index ?? 0,
    reveal: (at) => virtual.scrollToIndex(at),
    box,
    open: (at) => rows[at] && onOpen(rows[at]),
    toggle: (at) => rows[at] && selection?.toggle(rows[at].id),
  });
  const above = seen[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (seen.at(-1)?.end ?? 0);
  const all = selection !== undefined && rows.length > 0 && rows.every(({ id }) => selection.has(id));

  return (
    <section
      ref={box}
      className={classes.scroll}
      aria-label={t('contacts')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
      tabIndex={0}
      onKeyDown={walk.press}
    >
      <table
        className={classes.table}
        style={{ minWidth: columns.reduce((sum, { width }) => sum + width, selection ? CHECK : 0) }}
        aria-rowcount={(total ?? -2) + 1}
      >
        <colgroup>
          {selection && <col style={{ width: CHECK }} />}
          {columns.map(({ key, width }) => (
            <col key={key} style={{ width: width || undefined }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={classes.check}>
                <label>
                  <input
                    type="checkbox"
                    aria-label={t('chooseAll')}
                    checked={all}
                    onChange={() => (all ? selection.clear() : selection.add(rows.map(({ id }) => id)))}
                  />
                </label>
              </th>
            )}
            {columns.map((column) => (
              <SortHead key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden className={classes.space} style={{ height: above }} />}
          {seen.map(({ index }) => {
            const row = rows[index];
            return (
              row && (
                <ContactRow
                  key={row.id}
                  contact={row}
                  columns={columns}
                  index={index}
                  stop={index === walk.stop}
                  chosen={selection?.has(row.id) ?? false}
                  toggle={selection && (() => selection.toggle(row.id))}
                  onOpen={onOpen}
                />
              )
            );
          })}
          {below > 0 && <tr aria-hidden className={classes.space} style={{ height: below }} />}
        </tbody>
      </table>
      {moreError != null && (
        <div className={classes.more}>
          <Failure error={moreError} retry={more} />
        </div>
      )}
    </section>
  );
}
