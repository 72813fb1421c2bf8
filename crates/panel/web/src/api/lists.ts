import type { QueryKey } from '@tanstack/react-query';
import type { ClientPathsWithMethod, MethodResponse } from 'openapi-fetch';
import { apiIn, type Raw } from './client';
import { everyPage, pages } from './pages';
import type { paths } from './schema';

type Read = ClientPathsWithMethod<Raw, 'get'>;
type Answer<Path extends Read> = MethodResponse<Raw, 'get', Path>;
interface PageOf<Row> {
  data: Row[];
  next_cursor?: string | null;
}
/** The paths of paged lists. */
type ListPath = { [Path in Read]: Answer<Path> extends PageOf<unknown> ? Path : never }[Read];
type Row<Path extends ListPath> = Answer<Path> extends PageOf<infer It> ? It : never;
type Page<Path extends ListPath> = Answer<Path> & PageOf<Row<Path>>;
type Parameters<Path extends ListPath> = paths[Path]['get']['parameters'];
type Query<Path extends ListPath> = Omit<NonNullable<Parameters<Path>['query']>, 'cursor'>;

interface Asked<Path extends ListPath> {
  /** The filters, the sorting and the size of a page. With `include`, the first page has the total number of rows. */
  query?: Query<Path>;
  /** The IDs in the path. */
  path?: Parameters<Path>['path'];
}

function reader<Path extends ListPath>(ws: string, list: Path, { query, path }: Asked<Path>) {
  const rest: Record<string, unknown> = { limit: 100, ...query };
  return (cursor: string | undefined, signal: AbortSignal): Promise<Page<Path>> => {
    const include = cursor === undefined ? rest.include : undefined;
    const call = { params: { path, query: { ...rest, include, cursor } }, signal };
    const answer: Promise<unknown> = apiIn(ws).GET(list as never, call as never);
    return answer as Promise<Page<Path>>;
  };
}

/** The query options of a list that loads more rows on demand. A page has 100 rows unless the query has a limit. */
export function listIn<Path extends ListPath>(
  ws: string,
  key: QueryKey,
  list: Path,
  asked: Asked<Path> = {},
) {
  return pages(key, reader(ws, list, asked));
}

/** The query options of all rows of a list, up to `most` rows. */
export function allIn<Path extends ListPath>(
  ws: string,
  queryKey: QueryKey,
  list: Path,
  query?: Query<Path>,
  most?: number,
) {
  const read = reader(ws, list, { query });
  return {
    queryKey,
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<Row<Path>[]> =>
      everyPage<Row<Path>>((cursor) => read(cursor, signal), most),
  };
}
