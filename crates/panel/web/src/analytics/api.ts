import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { apiIn } from '../api/client';
import { ClockLead } from '../components/clock';
import { type Interval, RANGES, type Range } from './search';

/** The analytics of a range that ends now, by the clock of the workspace. */
export function useAnalytics(ws: string, range: Range, interval: Interval, time_zone: string) {
  const lead = useContext(ClockLead);
  return useQuery({
    queryKey: ['analytics', ws, range, interval, time_zone, lead],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() + lead - RANGES[range]).toISOString();
      return apiIn(ws).GET('/api/v1/analytics/overview', {
        params: { query: { from, interval, time_zone } },
        signal,
      });
    },
    placeholderData: (before) => before,
    refetchInterval: 30_000,
  });
}
