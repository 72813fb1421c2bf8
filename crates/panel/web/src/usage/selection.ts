import type { Bucket } from './buckets';

/** A selection of buckets, from `anchor` to `head`. */
export interface Selection {
  anchor: number;
  head: number;
}

/** The bucket at a horizontal position. Positions outside the chart use the nearest bucket. */
export function bucketAt(x: number, width: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor((x / width) * count)));
}

/** The first and the last bucket of a selection. */
export function ends({ anchor, head }: Selection): [number, number] {
  return [Math.min(anchor, head), Math.max(anchor, head)];
}

/** The selection after a key press. `undefined` if the key has no effect. */
export function moved(
  selection: Selection | undefined,
  key: string,
  extend: boolean,
  count: number,
): Selection | undefined {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 }[key];
  const jump = { Home: 0, End: count - 1 }[key];
  if ((step === undefined && jump === undefined) || count === 0) return undefined;
  const from = selection?.head ?? (step === 1 ? -1 : count);
  const head = Math.max(0, Math.min(count - 1, jump ?? from + (step ?? 0)));
  return { anchor: extend && selection ? selection.anchor : head, head };
}

/** The time range of a selection. */
export function chosenSpan(
  buckets: Bucket[],
  selection: Selection,
): { from: string; to: string } | undefined {
  const [first, last] = ends(selection);
  const [begin, end] = [buckets[first]?.begin, buckets[last]?.end];
  if (begin === undefined || end === undefined) return undefined;
  return { from: new Date(begin).toISOString(), to: new Date(end).toISOString() };
}
