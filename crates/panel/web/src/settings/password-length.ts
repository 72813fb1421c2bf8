/** How long a password is at least. */
export const SHORTEST = 10;

/** How many characters a password lacks. */
export function missing(password: string): number {
  return Math.max(0, SHORTEST - [...password].length);
}
