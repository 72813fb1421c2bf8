import { useNavigate, useSearch } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useMemo } from 'react';
import { administers, find, type Here, places } from './places';
import { useAccount } from './use-session';

const LAST = 'tidings-workspace';

export interface Where extends Here {
  /** Whether the user manages keys, members and the sandbox of this workspace. */
  administers: boolean;
  go: (workspace: string) => void;
}

export const WhereContext = createContext<Where | undefined>(undefined);

/**
 * The workspace of the page. Its ID is in the search parameter `ws`, so a link opens the same workspace for
 * other users.
 */
export function useWhere(): Where {
  const where = useContext(WhereContext);
  if (!where) throw new Error('This page belongs to a workspace.');
  return where;
}

/** Reads the workspace from the address, and adds it to the address if it is missing. */
export function useWhereFromAddress(): Where | undefined {
  const account = useAccount();
  const { ws } = useSearch({ strict: false }) as { ws?: string };
  const navigate = useNavigate();
  const here = useMemo(() => find(places(account), ws, localStorage.getItem(LAST)), [account, ws]);
  const id = here?.workspace.id;

  useEffect(() => {
    if (!id) return;
    localStorage.setItem(LAST, id);
    if (id !== ws) void navigate({ to: '.', search: (it: object) => ({ ...it, ws: id }), replace: true });
  }, [id, ws, navigate]);

  return useMemo(
    () =>
      here && {
        ...here,
        administers: administers(here.role),
        // Filters of one workspace do not apply to another.
        go: (workspace: string) => void navigate({ to: '.', search: { ws: workspace } }),
      },
    [here, navigate],
  );
}
