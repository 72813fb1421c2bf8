import type { UseQueryResult } from '@tanstack/react-query';
import type { Pages } from '../components/found-list';

/** A list that is read as a whole, and that the page filters. */
export interface WholeList<It> {
  all: Pick<UseQueryResult<It[]>, 'data' | 'error' | 'isPending' | 'refetch'>;
  /** The text that the filter searches. */
  said: (row: It) => string;
}

/** Pages that the server filters, or a whole list. */
export type RowList<It> = Pages<It> | WholeList<It>;

/** All loaded rows, before the page filters them. */
export function loadedRows<It>(list: RowList<It>): It[] | undefined {
  return 'all' in list ? list.all.data : list.data?.pages.flatMap((page) => page.data);
}

/** The rows that match a filter, as pages. The server has filtered its pages. */
export function filtered<It>(list: RowList<It>, text: string): Pages<It> {
  if (!('all' in list)) return list;
  const { all, said } = list;
  const data = all.data && { pages: [{ data: matching(all.data, text, said) }], pageParams: [] };
  return { ...all, data, hasNextPage: false, isFetchingNextPage: false } as unknown as Pages<It>;
}

/** The rows with a text that contains each word. */
function matching<Row>(rows: Row[], text: string, said: (row: Row) => string): Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => words.every((word) => said(row).toLowerCase().includes(word)));
}
