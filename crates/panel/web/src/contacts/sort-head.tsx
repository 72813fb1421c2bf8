import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type ContactColumn, headerOf } from './columns';
import { turned } from './query';
import type { ContactSort } from './search';
import classes from './table.module.css';

interface Props {
  column: ContactColumn;
  sort: ContactSort;
  onSort: (sort: ContactSort) => void;
}

/** A column header. It sorts the list if the API supports it. */
export function SortHead({ column, sort, onSort }: Props) {
  const by = column.sort;
  if (!by) return <th scope="col">{headerOf(column)}</th>;
  const up = sort === by;
  const down = sort === `-${by}`;
  return (
    <th scope="col" aria-sort={up ? 'ascending' : down ? 'descending' : 'none'}>
      <button type="button" className={classes.sort} onClick={() => onSort(turned(sort, by))}>
        {headerOf(column)}
        {up && <IconArrowUp size={14} aria-hidden />}
        {down && <IconArrowDown size={14} aria-hidden />}
      </button>
    </th>
  );
}
