import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client';

/** The stored text of a workspace and the limit of its plan. */
export function useStored(ws: string) {
  return useQuery({
    queryKey: ['storage', ws],
    queryFn: ({ signal }) =>
      api.GET('/platform/workspaces/{ws}/storage', { params: { path: { ws } }, signal }),
  });
}
