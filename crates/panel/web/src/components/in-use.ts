import { Problem } from '../api/problem';

/** Something that names what is to be deleted. */
export interface Dependent {
  type: string;
  id: string;
  name: string | null;
}

/** What depends on something that was not deleted for it; nothing for other failures. */
export function dependentsOf(error: unknown): Dependent[] | undefined {
  if (!(error instanceof Problem) || error.code !== 'in_use') return undefined;
  const { dependents } = error.more;
  return Array.isArray(dependents) ? (dependents as Dependent[]) : [];
}
