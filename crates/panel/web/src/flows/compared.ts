/**
 * The two versions to compare, newer first: those in the address, otherwise the latest change. `0` is the
 * draft.
 */
export function compared(
  numbers: number[],
  unpublished: boolean,
  version: number | undefined,
  against: number | undefined,
): [is: number, was: number] {
  const newest = Math.max(0, ...numbers);
  const is = version ?? (unpublished ? 0 : newest);
  const before = is === 0 ? newest : is - 1;
  return [is, against ?? (numbers.includes(before) ? before : 0)];
}
