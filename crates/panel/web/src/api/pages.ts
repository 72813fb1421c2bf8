import type { QueryKey } from '@tanstack/react-query';

interface PageOf<Row> {
  data: Row[];
  next_cursor?: string | null;
}

/** The query options of a paged list. `read` requests the page after a cursor. */
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

/** Reads the rows of all pages of a list, up to `most` rows. */
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
