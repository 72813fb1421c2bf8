import { useWhere } from '../app/here';
import { useAccount } from '../app/use-session';

/** The rights of the user to export, delete and restore the workspace that is shown. */
export function useDeletionRights(): { mayExport: boolean; mayDelete: boolean } {
  const { role, administers } = useWhere();
  const { operator } = useAccount().user;
  return { mayExport: administers || operator, mayDelete: role === 'owner' || operator };
}
