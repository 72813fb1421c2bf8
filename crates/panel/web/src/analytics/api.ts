import { useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { type Interval, RANGES, type Range } from './search';

/** The analytics of a range that ends now. */
export function useAnalytics(ws: string, range: Range, interval: Interval, time_zone: string) {
  return useQuery({
    queryKey: ['analytics', ws, range, interval, time_zone],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - RANGES[range]).toISOString();
      return apiIn(ws).GET('/api/v1/analytics/overview', {
        params: { query: { from, interval, time_zone } },
        signal,
      });
    },
    placeholderData: (before) => before,
    refetchInterval: 30_000,
  });
}
