import { expect, test } from 'vitest';
import type { FeedEvent } from './api';
import { findEvent } from './find';

/** A feed of `count` events, one every ten seconds. */
function feed(count: number) {
  let asked = 0;
  const event = (position: number) =>
    ({ position, id: `evt_${position}`, timestamp: new Date(position * 10_000).toISOString() }) as FeedEvent;
  const read = async (after: number, limit: number) => {
    asked += 1;
    const rest = Math.max(0, Math.min(limit, count - after));
    const data = Array.from({ length: rest }, (_, at) => event(after + at + 1));
    return { data, next_after: after + rest, has_more: after + rest < count };
  };
  return { read, event, asked: () => asked };
}

test('finds an event among many in a few steps', async () => {
  const { read, event, asked } = feed(500_000);
  const { id, timestamp } = event(321_987);
  expect((await findEvent(read, { id, at: timestamp }))?.position).toBe(321_987);
  expect(asked()).toBeLessThan(40);
});

test('finds the first and the last event, and no missing one', async () => {
  const { read, event } = feed(40);
  for (const at of [1, 40]) {
    expect((await findEvent(read, { id: `evt_${at}`, at: event(at).timestamp }))?.position).toBe(at);
  }
  expect(await findEvent(read, { id: 'evt_gone', at: event(3).timestamp })).toBeUndefined();
  expect(await findEvent(feed(0).read, { id: 'evt_1', at: event(3).timestamp })).toBeUndefined();
});
