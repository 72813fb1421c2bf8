import type { components } from '../api/schema';
import { number } from '../i18n/format';

export type Stored = components['schemas']['WorkspaceStorage'];
export type Kind = keyof Stored['by_kind'];

/** The storage of one kind of data. */
export interface Part {
  kind: Kind;
  bytes: number;
  /** The share of the total, from 0 to 1. */
  share: number;
}

/** The kinds sorted by size, largest first, and then by name. */
export function partsOf({ total, by_kind }: Stored): Part[] {
  return (Object.keys(by_kind) as Kind[])
    .map((kind) => ({ kind, bytes: by_kind[kind], share: total > 0 ? by_kind[kind] / total : 0 }))
    .toSorted((a, b) => b.bytes - a.bytes || a.kind.localeCompare(b.kind));
}

const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** Formats bytes with decimal units: `812 B`, `1.5 kB`, `23 MB`. */
export function inBytes(bytes: number): string {
  if (bytes < 1_000) return `${number(bytes)} B`;
  let size = bytes / 1_000;
  let unit = 0;
  // A size that would be rounded to 1,000 uses the next unit.
  while (Number(size.toPrecision(3)) >= 1_000 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${number(size, { maximumFractionDigits: size < 100 ? 1 : 0 })} ${UNITS[unit]}`;
}
