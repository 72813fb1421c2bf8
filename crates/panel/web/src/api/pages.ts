import type { QueryKey } from '@tanstack/react-query';

interface PageOf<Row> {
  data: Row[];
  next_cursor?: string | null;
}

/** The options of a list that is read page by page. `read` requests the page behind a cursor. */
export function pages<Page extends { next_cursor?: string | null }>(
  queryKey: QueryKey,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>,
) {
  return {
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
      read(pageParam, signal),
    getNextPageParam: (page: Page) => page.next_cursor ?? undefined,
  };
}

/** The rows of all pages of a list, read until there are `most` of them. */
export async function everyPage<Row>(
  read: (cursor: string | undefined) => Promise<PageOf<Row>>,
  most = 1_000,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await read(cursor);
    rows.push(...data);
    cursor = next_cursor ?? undefined;
  } while (cursor && rows.length < most);
  return rows;
}
