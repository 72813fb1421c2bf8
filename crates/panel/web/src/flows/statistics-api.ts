import { useQuery } from '@tanstack/react-query';
import { apiIn, value } from '../api/client';
import { SPANS, type Span } from './spans';

/** How often the numbers are asked for while somebody looks. */
const OFTEN = 10_000;

/** What became of runs at the nodes of a flow, of one version or of all, in a span that ends now or ever. */
export function useStatistics(ws: string, id: string, version: number | undefined, span: Span | undefined) {
  return useQuery({
    queryKey: ['flow-statistics', ws, id, version, span],
    queryFn: ({ signal }) => {
      const from = span && new Date(Date.now() - SPANS[span]).toISOString();
      return value(
        apiIn(ws).GET('/api/v1/flows/{id}/statistics', {
          params: { path: { id }, query: { version, from } },
          signal,
        }),
      );
    },
    placeholderData: (before) => before,
    refetchInterval: OFTEN,
  });
}
