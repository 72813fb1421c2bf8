import { expect, test } from 'vitest';
import type { FeedEvent } from './api';
import { headOf, readBackwards } from './backwards';

/** A feed. Every seventh event (`every`) has the type `some`. */
function feed(count: number, every = 7, first = 1) {
  const calls: number[] = [];
  const all = Array.from({ length: count }, (_, at) => at + 1).filter((it) => it >= first);
  const read = async (after: number, limit: number, types: string[]) => {
    calls.push(after);
    const rest = all.filter(
      (it) => it > after && (types.length === 0 || (types[0] === 'some' && it % every === 0)),
    );
    const data = rest.slice(0, limit).map((position) => ({ position }) as FeedEvent);
    const more = rest.length > limit;
    return {
      data,
      next_after: more ? (data.at(-1)?.position ?? after) : Math.max(after, count),
      has_more: more,
    };
  };
  return { read, calls };
}

test('finds the end of the feed without reading it', async () => {
  const { read, calls } = feed(100_000);
  expect(await headOf(read)).toBe(100_000);
  expect(calls).toHaveLength(1);
});

test('pages follow each other backwards without gaps', async () => {
  const { read } = feed(120);
  const positions: number[] = [];
  let before = 120;
  while (before > 0) {
    const page = await readBackwards(read, before, [], 50);
    positions.push(...page.events.map((it) => it.position));
    before = page.before;
  }
  expect(positions).toEqual(Array.from({ length: 120 }, (_, at) => 120 - at));
});

test('finds frequent and rare types, newest first', async () => {
  const often = await readBackwards(feed(50_000, 2).read, 50_000, ['some'], 50);
  expect(often.events[0]?.position).toBe(50_000);
  expect(often.events[1]?.position).toBe(49_998);
  const { read, calls } = feed(500_000, 90_000);
  const rare = await readBackwards(read, 500_000, ['some'], 50);
  expect(rare.events.map((it) => it.position)).toEqual([450_000, 360_000, 270_000, 180_000, 90_000]);
  expect(rare.before).toBe(0);
  expect(calls.length).toBeLessThan(10);
});

test('skips positions of deleted events', async () => {
  const { read } = feed(1_000, 7, 990);
  const page = await readBackwards(read, 1_000, [], 50);
  expect(page.events).toHaveLength(11);
  expect(page.before).toBe(0);
});
