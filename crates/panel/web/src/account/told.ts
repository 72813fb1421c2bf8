import { faultsByField, Problem } from '../api/problem';

/** Whether a link is no longer valid: used, withdrawn or expired. */
export function isGone(error: unknown): boolean {
  return error instanceof Problem && (error.status === 404 || error.status === 422);
}

/** The messages for an error: one for each invalid field, or one for the whole request. */
export interface Told {
  faults: Record<string, string>;
  failure?: unknown;
}

/** Shows an error at its fields. An error without fields is the failure of the whole request. */
export function toldOf(error: unknown): Told {
  if (!error) return { faults: {} };
  const faults = faultsByField(error);
  return Object.keys(faults).length > 0 ? { faults } : { faults, failure: error };
}
