import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { apiIn } from '../api/client';
import { ClockLead } from '../components/clock';
import { SPANS, type Span } from './spans';

/** The refresh interval of the statistics, in milliseconds. */
const OFTEN = 10_000;

/**
 * The results of runs at the nodes of a flow, for one version or all, in a range that ends now, by the clock of
 * the workspace, or for the whole time.
 */
export function useStatistics(ws: string, id: string, version: number | undefined, span: Span | undefined) {
  const lead = useContext(ClockLead);
  return useQuery({
    queryKey: ['flow-statistics', ws, id, version, span, lead],
    queryFn: ({ signal }) => {
      const from = span && new Date(Date.now() + lead - SPANS[span]).toISOString();
      return apiIn(ws).GET('/api/v1/flows/{id}/statistics', {
        params: { path: { id }, query: { version, from } },
        signal,
      });
    },
    placeholderData: (before) => before,
    refetchInterval: OFTEN,
  });
}
