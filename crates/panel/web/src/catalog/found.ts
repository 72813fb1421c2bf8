import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Catalog, Row } from './catalog';

interface Page<It> {
  data: It[];
  total?: number;
}

/** Converts pages that the server filtered for a catalog. */
export function listed<It extends Row>(
  found: UseInfiniteQueryResult<InfiniteData<Page<It>>>,
): Pick<Catalog<It, object>, 'list' | 'pages'> {
  const { data: all, error, isPending, refetch } = found;
  const data = all?.pages.flatMap((page) => page.data);
  return {
    list: { data, error, isPending, refetch } as Catalog<It, object>['list'],
    pages: {
      total: all?.pages[0]?.total ?? data?.length ?? 0,
      more: found.hasNextPage ? () => void found.fetchNextPage() : undefined,
      loadingMore: found.isFetchingNextPage,
    },
  };
}
