import type { components } from '../api/schema';
import type { Account } from './session';

export type Workspace = components['schemas']['Workspace'];
export type Role = components['schemas']['Role'];

/** A workspace of the user, with its sandbox. */
export interface Place {
  live: Workspace;
  role: Role;
  sandbox: Workspace | undefined;
}

/** The open workspace or sandbox. */
export interface Here extends Place {
  /** The workspace or sandbox that the page shows. */
  workspace: Workspace;
  inSandbox: boolean;
}

/** The user's workspaces, oldest first, each with its sandbox. */
export function places(account: Account): Place[] {
  const all = account.memberships;
  return all
    .filter(({ workspace }) => !workspace.live_workspace_id)
    .map(({ workspace, role }) => ({
      live: workspace,
      role,
      sandbox: all.find((it) => it.workspace.live_workspace_id === workspace.id)?.workspace,
    }));
}

/** Whether a workspace is deleted. Its sandbox is deleted with it. */
export function isDeleted({ live }: Place): boolean {
  return Boolean(live.deleted_at);
}

/**
 * Returns the workspace in the address, otherwise the last visited one, otherwise the first. A deleted
 * workspace is only found by its address, unless all are deleted.
 */
export function find(all: Place[], address?: string, last?: string | null): Here | undefined {
  const present = all.filter((it) => !isDeleted(it));
  const offered = present.length > 0 ? present : all;
  return named(all, address) ?? named(offered, last) ?? named(offered, offered[0]?.live.id);
}

function named(all: Place[], id: string | null | undefined): Here | undefined {
  for (const place of all) {
    if (place.live.id === id) return { ...place, workspace: place.live, inSandbox: false };
    if (id && place.sandbox?.id === id) return { ...place, workspace: place.sandbox, inSandbox: true };
  }
  return undefined;
}

/** Whether the role manages keys, members and the sandbox. */
export function administers(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}

export function mayWrite(role: Role): boolean {
  return role !== 'viewer';
}
