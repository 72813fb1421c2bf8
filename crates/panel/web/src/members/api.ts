import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../api/client';
import { everyPage } from '../api/pages';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';
import { arranged, type Member, type Role } from './rights';

export type InvitedMember = components['schemas']['InvitedMember'];
export type InviteMember = components['schemas']['InviteMember'];

const membersOf = (ws: string) => ['members', ws];

/** All members and invitations of a workspace. There are at most 200, so they are filtered here. */
export function useMembers(ws: string, enabled: boolean, staleTime?: number) {
  return useQuery({
    queryKey: membersOf(ws),
    enabled,
    staleTime,
    queryFn: async ({ signal }) => {
      const read = (cursor: string | undefined) =>
        api.GET('/platform/workspaces/{ws}/members', {
          params: { path: { ws }, query: { limit: 100, cursor } },
          signal,
        });
      return arranged(await everyPage<Member>(read));
    },
  });
}

/** Invites a user. Only this response contains the token of the link. */
export function useInvite(ws: string) {
  return useChange(
    (body: InviteMember) => api.POST('/platform/workspaces/{ws}/members', { params: { path: { ws } }, body }),
    membersOf(ws),
  );
}

export function useChangeRole(ws: string) {
  return useChange(
    ({ id, role }: { id: string; role: Role }) =>
      api.PATCH('/platform/workspaces/{ws}/members/{id}', { params: { path: { ws, id } }, body: { role } }),
    membersOf(ws),
  );
}

/** Removes a member, possibly the current user, or withdraws an invitation. */
export function useRemoveMember(ws: string) {
  return useChange(
    (id: string) => api.DELETE('/platform/workspaces/{ws}/members/{id}', { params: { path: { ws, id } } }),
    membersOf(ws),
  );
}

/** Creates a link to set a member's password. Only this response contains its token. */
export function useResetLink(ws: string) {
  return useMutation({
    mutationFn: (id: string) =>
      api.POST('/platform/workspaces/{ws}/members/{id}/reset-link', { params: { path: { ws, id } } }),
    // Do not cache the token after it is no longer shown.
    gcTime: 0,
  });
}
