import type { EventFeed, FeedEvent } from './api';

/** Reads events after a position. */
export type Read = (after: number, limit: number) => Promise<EventFeed>;

/** The maximum difference between an event's timestamp and its position in the feed, in milliseconds. */
const MARGIN = 60_000;
/** The most pages that are read around the expected position. */
const PAGES = 20;

/**
 * Finds an event by its ID and approximate time. The feed only supports positions, which are nearly in the
 * order of time. A binary search finds the position, with about twice as many requests as the number of
 * events has binary digits.
 */
export async function findEvent(
  read: Read,
  wanted: { id: string; at: string },
): Promise<FeedEvent | undefined> {
  const from = Date.parse(wanted.at) - MARGIN;
  const isBehind = async (after: number) => {
    const [event] = (await read(after, 1)).data;
    return event === undefined || Date.parse(event.timestamp) >= from;
  };
  let low = 0;
  let step = 64;
  while (!(await isBehind(low + step))) {
    low += step;
    step *= 2;
  }
  let high = low + step;
  while (high - low > 32) {
    const middle = Math.floor((low + high) / 2);
    if (await isBehind(middle)) high = middle;
    else low = middle;
  }
  let after = low;
  for (let page = 0; page < PAGES; page += 1) {
    const found = await read(after, 100);
    const event = found.data.find((it) => it.id === wanted.id);
    const last = found.data.at(-1);
    if (event || !last || Date.parse(last.timestamp) > from + 2 * MARGIN) return event;
    after = found.next_after;
  }
  return undefined;
}
