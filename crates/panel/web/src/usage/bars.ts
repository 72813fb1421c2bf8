import { date } from '../i18n/format';
import type { Bucket } from './buckets';

/** The maximum width of a bar and the minimum height of a part that is not empty, in pixels. */
const WIDEST = 64;
const LEAST = 2;

export interface Size {
  width: number;
  height: number;
}

export interface Part {
  kind: 'done' | 'client' | 'server';
  y: number;
  height: number;
}

export interface Bar {
  x: number;
  width: number;
  /** From bottom to top. */
  parts: Part[];
}

/** The end of the scale: a round number that is not below the highest bar. */
export function topOf(buckets: Bucket[]): number {
  const most = Math.max(1, ...buckets.map((it) => it.requests));
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 3, 4, 5, 6, 8].find((it) => it * power >= most) ?? 10) * power;
}

/** The positions of the bars. Errors are at the top of a bar and always visible. */
export function barsOf(buckets: Bucket[], { width, height }: Size): Bar[] {
  const top = topOf(buckets);
  const slot = width / Math.max(1, buckets.length);
  const bar = Math.min(WIDEST, slot - Math.min(2, slot / 4));
  return buckets.map((it, at) => ({
    x: at * slot + (slot - bar) / 2,
    width: bar,
    parts: partsOf(it, height, top),
  }));
}

function partsOf(it: Bucket, height: number, top: number): Part[] {
  const counts = [
    ['done', it.requests - it.client - it.server],
    ['client', it.client],
    ['server', it.server],
  ] as const;
  const wanted = counts.map(([, count]) => (count > 0 ? Math.max(LEAST, (count / top) * height) : 0));
  // The tallest part loses the height that the small parts gained. No bar exceeds the chart.
  const over = Math.max(0, wanted.reduce((sum, one) => sum + one, 0) - height);
  const tallest = wanted.indexOf(Math.max(...wanted));
  const heights = wanted.map((one, at) => (at === tallest ? one - over : one));
  let y = height;
  return counts.flatMap(([kind], at) => {
    const part = heights[at] ?? 0;
    y -= part;
    return part > 0 ? [{ kind, y, height: part }] : [];
  });
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 2, 5, 10, 15, 20, 30].map((it) => it * MINUTE),
  ...[1, 2, 3, 6, 12].map((it) => it * HOUR),
  ...[1, 2, 5, 10].map((it) => it * DAY),
];
/** The minimum distance of labels, in pixels. */
const LABEL = 60;

export interface Tick {
  x: number;
  label: string;
}

/**
 * The labels below the bars, at round times of the time zone, which is `offset` milliseconds ahead of UTC.
 */
export function ticksOf(buckets: Bucket[], width: number, offset = offsetAt(buckets[0]?.begin)): Tick[] {
  const [first, last] = [buckets[0], buckets[buckets.length - 1]];
  if (!first || !last || width <= 0) return [];
  const span = last.end - first.begin;
  const step = STEPS.find((it) => (it / span) * width >= LABEL) ?? 30 * DAY;
  const ticks: Tick[] = [];
  let at = Math.ceil((first.begin + offset) / step) * step - offset;
  for (; at < last.end; at += step) {
    const x = ((at - first.begin) / span) * width;
    if (x + LABEL / 2 <= width) ticks.push({ x, label: labelOf(at + offset) });
  }
  return ticks;
}

function labelOf(local: number): string {
  const timeZone = 'UTC';
  if (local % DAY === 0) return date(local, { timeZone, day: 'numeric', month: 'short' });
  return date(local, { timeZone, hour: '2-digit', minute: '2-digit' });
}

function offsetAt(at: number | undefined): number {
  return at === undefined ? 0 : -new Date(at).getTimezoneOffset() * MINUTE;
}
