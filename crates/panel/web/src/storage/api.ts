import { useQuery } from '@tanstack/react-query';
import { api, value } from '../api/client';

/** How much text a workspace has stored, and how much its plan allows. */
export function useStored(ws: string) {
  return useQuery({
    queryKey: ['storage', ws],
    queryFn: ({ signal }) =>
      value(api.GET('/platform/workspaces/{ws}/storage', { params: { path: { ws } }, signal })),
  });
}
