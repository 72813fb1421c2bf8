export const SHORTEST = 10;

/** The number of missing characters of a password. */
export function missing(password: string): number {
  return Math.max(0, SHORTEST - [...password].length);
}
