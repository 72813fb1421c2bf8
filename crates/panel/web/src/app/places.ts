import type { components } from '../api/schema';
import type { Account } from './session';

export type Workspace = components['schemas']['Workspace'];
export type Role = components['schemas']['Role'];

/** A workspace in which a person has a place, with its sandbox. */
export interface Place {
  live: Workspace;
  role: Role;
  sandbox: Workspace | undefined;
}

/** Where a person is: a workspace, or its sandbox. */
export interface Here extends Place {
  /** The one that is shown. */
  workspace: Workspace;
  inSandbox: boolean;
}

/** A person's workspaces, oldest first, each with its sandbox. */
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

/** The place that an id names; else the one of the last visit, else the first. */
export function find(all: Place[], ...wanted: (string | null | undefined)[]): Here | undefined {
  for (const id of wanted) {
    for (const place of all) {
      if (place.live.id === id) return { ...place, workspace: place.live, inSandbox: false };
      if (id && place.sandbox?.id === id) return { ...place, workspace: place.sandbox, inSandbox: true };
    }
  }
  const first = all[0];
  return first && { ...first, workspace: first.live, inSandbox: false };
}

/** Whether somebody of this role manages keys, members and the sandbox. */
export function administers(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}

/** Whether somebody of this role creates and changes things. */
export function mayWrite(role: Role): boolean {
  return role !== 'viewer';
}
