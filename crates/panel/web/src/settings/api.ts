import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client';
import { keys } from '../api/keys';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';
import { versioned } from '../api/versioned';
import { session } from '../app/session';
import { useMe } from '../keys/api';
import type { UpdateWorkspace, Workspace } from './draft';

export type LiveSession = components['schemas']['LiveSessionView'];
export type UpdateAccount = components['schemas']['UpdateAccount'];
export type OutboundMode = components['schemas']['OutboundMode'];
export type ChangePassword = components['schemas']['ChangePassword'];

/** A workspace with the `ETag` of its version. */
export interface Versioned {
  workspace: Workspace;
  etag: string;
}

const workspaceOf = (ws: string) => ['workspace', ws];

export function readWorkspace(ws: string, signal?: AbortSignal): Promise<Versioned> {
  return versioned(
    'workspace',
    api.raw.GET('/platform/workspaces/{ws}', { params: { path: { ws } }, signal }),
  );
}

export function useWorkspace(ws: string) {
  return useQuery({
    queryKey: workspaceOf(ws),
    queryFn: ({ signal }) => readWorkspace(ws, signal),
  });
}

/** Caches a workspace that was just read. */
export function keepWorkspace(client: QueryClient, read: Versioned): void {
  client.setQueryData(workspaceOf(read.workspace.id), read);
}

/** Saves the changes of a workspace. Fails if another user changed it since. */
export function useSaveWorkspace(ws: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, etag }: { body: UpdateWorkspace; etag: string }) =>
      versioned(
        'workspace',
        api.raw.PATCH('/platform/workspaces/{ws}', {
          params: { path: { ws }, header: { 'If-Match': etag } },
          body,
        }),
      ),
    onSuccess: (saved) => {
      keepWorkspace(client, saved);
      void client.invalidateQueries({ queryKey: keys.me(ws) });
      // The workspace menu uses the name in the account.
      void session.reload().catch(() => undefined);
    },
  });
}

/** Pauses or resumes outbound sending of the workspace. */
export function useSetOutbound(ws: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (mode: OutboundMode) =>
      versioned(
        'workspace',
        api.raw.PUT('/platform/workspaces/{ws}/outbound', { params: { path: { ws } }, body: { mode } }),
      ),
    onSuccess: (saved) => {
      keepWorkspace(client, saved);
      // All pages show from the account that sending is paused.
      void session.reload().catch(() => undefined);
    },
  });
}

/** The requests per minute of the workspace's plan. */
export function useLimit(ws: string): number | undefined {
  return useMe(ws).data?.requests_per_minute;
}

const SESSIONS = ['sessions'];

/** The user's sessions: the current one first, then the others by last use. */
export function useSessions() {
  return useQuery({
    queryKey: SESSIONS,
    queryFn: async ({ signal }) => arrangedSessions((await api.GET('/auth/sessions', { signal })).data),
  });
}

export function arrangedSessions(all: LiveSession[]): LiveSession[] {
  return all.toSorted(
    (a, b) => Number(b.current) - Number(a.current) || b.last_used_at.localeCompare(a.last_used_at),
  );
}

export function useEndSession() {
  return useChange((id: string) => api.DELETE('/auth/sessions/{id}', { params: { path: { id } } }), SESSIONS);
}

/** Updates members of the account and reloads it. */
export async function saveAccount(body: UpdateAccount): Promise<void> {
  await api.PATCH('/auth/me', { body });
  await session.reload();
}

/** Changes the name and the email address. A new address ends all other sessions. */
export function useChangeAccount() {
  return useChange(saveAccount, SESSIONS);
}

/** Changes the password. This ends all other sessions. */
export function useChangePassword() {
  return useChange((body: ChangePassword) => api.POST('/auth/password', { body }), SESSIONS);
}
