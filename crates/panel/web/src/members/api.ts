import { useMutation, useQuery } from '@tanstack/react-query';
import { api, value } from '../api/client';
import { everyPage } from '../api/pages';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';
import { arranged, type Member, type Role } from './rights';

export type InvitedMember = components['schemas']['InvitedMember'];
export type InviteMember = components['schemas']['InviteMember'];

const membersOf = (ws: string) => ['members', ws];

/** Everybody in a workspace, and who is invited: there are at most 200, so the filter has them all. */
export function useMembers(ws: string, enabled: boolean, staleTime?: number) {
  return useQuery({
    queryKey: membersOf(ws),
    enabled,
    staleTime,
    queryFn: async ({ signal }) => {
      const read = (cursor: string | undefined) =>
        value(
          api.GET('/platform/workspaces/{ws}/members', {
            params: { path: { ws }, query: { limit: 100, cursor } },
            signal,
          }),
        );
      return arranged(await everyPage<Member>(read));
    },
  });
}

/** Invites a person. The response has the token of the link, this once. */
export function useInvite(ws: string) {
  return useChange(
    (body: InviteMember) =>
      value(api.POST('/platform/workspaces/{ws}/members', { params: { path: { ws } }, body })),
    membersOf(ws),
  );
}

/** Gives a member another role. */
export function useChangeRole(ws: string) {
  return useChange(
    ({ id, role }: { id: string; role: Role }) =>
      value(
        api.PATCH('/platform/workspaces/{ws}/members/{id}', { params: { path: { ws, id } }, body: { role } }),
      ),
    membersOf(ws),
  );
}

/** Removes a member, oneself too, or withdraws an invitation. */
export function useRemoveMember(ws: string) {
  return useChange(
    (id: string) =>
      value(api.DELETE('/platform/workspaces/{ws}/members/{id}', { params: { path: { ws, id } } })),
    membersOf(ws),
  );
}

/** Makes a link that sets a member's password. Its token is told this once. */
export function useResetLink(ws: string) {
  return useMutation({
    mutationFn: (id: string) =>
      value(api.POST('/platform/workspaces/{ws}/members/{id}/reset-link', { params: { path: { ws, id } } })),
    // What was made is kept nowhere once it is not shown any more.
    gcTime: 0,
  });
}
