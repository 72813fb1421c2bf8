import { useQuery } from '@tanstack/react-query';
import { api, inWorkspace, value } from '../api/client';
import type { components } from '../api/schema';
import { everyPage } from '../conditions/use-fields';

export type Segment = components['schemas']['ShownSegment'];

/** All segments, with how many each chooses: there are at most 200. */
export function useSegments(ws: string) {
  const headers = inWorkspace(ws);
  return useQuery({
    queryKey: ['segments', ws],
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        value(api.GET('/api/v1/segments', { params: { query: { limit: 100, cursor } }, headers, signal })),
      ),
  });
}
