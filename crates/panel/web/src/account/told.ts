import { faultsByField, Problem } from '../api/problem';

/** Whether a link is not open any more: used, taken back, or too old. */
export function isGone(error: unknown): boolean {
  return error instanceof Problem && (error.status === 404 || error.status === 422);
}

/** What became of an attempt: what is wrong with each field, or what went wrong as a whole. */
export interface Told {
  faults: Record<string, string>;
  failure?: unknown;
}

/** What is wrong stands at its field; anything else is told as it is. */
export function toldOf(error: unknown): Told {
  if (!error) return { faults: {} };
  const faults = faultsByField(error);
  return Object.keys(faults).length > 0 ? { faults } : { faults, failure: error };
}
